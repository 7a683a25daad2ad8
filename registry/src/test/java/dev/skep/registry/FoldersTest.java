package dev.skep.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class FoldersTest {
    @TempDir Path folder;
    private Path home;
    private TestRegistry testRegistry;
    private TestRegistryClient client;

    @BeforeEach
    void open() throws Exception {
        Path real = Files.createDirectories(folder.toRealPath().resolve("homes/a"));
        Files.createDirectories(folder.resolve("homes/ab/secret"));
        for (String name : List.of("work/deep", "beta", ".hidden", "alpha")) {
            Files.createDirectories(real.resolve(name));
        }
        Files.writeString(real.resolve("file"), "x");
        Files.createSymbolicLink(real.resolve("linked"), real.resolve("work"));
        Files.createSymbolicLink(real.resolve("out"), folder.resolve("homes/ab"));
        Files.createSymbolicLink(real.resolve("broken"), real.resolve("nowhere"));
        // Home itself is a link, as on some systems.
        home = Files.createSymbolicLink(folder.resolve("home"), real);
        testRegistry = new TestRegistry(TestRegistry.Options.in(folder).spawningIn(home));
        client = testRegistry.dashboard();
    }

    @AfterEach
    void close() {
        client.close();
        testRegistry.close();
    }

    @Test
    void home_is_listed_sorted_without_hidden_and_foreign_folders() throws Exception {
        JsonNode listing = client.call("list_directories", null);
        assertThat(listing.path("current").asString()).isEqualTo(home.toRealPath().toString());
        assertThat(names(listing)).containsExactly("alpha", "beta", "linked", "work");
        assertThat(names(client.call("list_directories", "{\"path\":\"" + home + "/linked\"}")))
                .containsExactly("deep");
    }

    @Test
    void nothing_outside_home_is_listed() {
        for (String path : List.of(folder + "/homes/ab", home + "/..", "/", home + "/out")) {
            assertThat(client.error("list_directories", "{\"path\":\"" + path + "\"}"))
                    .as(path)
                    .isEqualTo("Path resolves outside home directory");
        }
        assertThat(client.error("list_directories", "{\"path\":\"" + home + "/none\"}"))
                .startsWith("Invalid path: ");
        assertThat(client.error("list_directories", "{\"path\":\"a\\u0000b\"}"))
                .startsWith("Invalid path: ");
        assertThat(client.error("list_directories", "{\"path\":\"" + home + "/file\"}"))
                .startsWith("Cannot read directory: ");
    }

    @Test
    void an_agent_starts_in_a_process_group_of_its_own() throws Exception {
        Path work = home.toRealPath().resolve("work");
        try (WatchService watch = FileSystems.getDefault().newWatchService()) {
            work.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            JsonNode spawned = client.call("spawn_agent", "{\"path\":\"" + work + "\"}");
            assertThat(spawned.path("status").asString()).isEqualTo("spawning");
            assertThat(spawned.path("path").asString()).isEqualTo(work.toString());
            assertThat(watch.poll(10, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void a_new_folder_is_one_name_made_after_all_checks() throws Exception {
        Path work = home.toRealPath().resolve("work");
        for (String name : List.of("../x", "a/b", "/tmp/x", "", ".", "..")) {
            assertThat(
                            client.error(
                                    "spawn_agent",
                                    "{\"path\":\"%s\",\"new_folder\":\"%s\"}"
                                            .formatted(work, name)))
                    .as(name)
                    .startsWith("Invalid path: ");
        }
        assertThat(
                        client.error(
                                "spawn_agent",
                                "{\"path\":\"%s\",\"new_folder\":\"x\"}"
                                        .formatted(folder.resolve("homes/ab"))))
                .isEqualTo("Path resolves outside home directory");
        assertThat(folder.resolve("homes/ab/x")).doesNotExist();
        assertThat(client.error("spawn_agent", "{\"path\":\"" + home + "/none\"}"))
                .isEqualTo("Path does not exist");
        assertThat(
                        client.error(
                                "spawn_agent",
                                "{\"path\":\"%s\",\"new_folder\":\"file\"}".formatted(home)))
                .startsWith("Failed to create directory: ");
        assertThat(
                        client.error(
                                "spawn_agent",
                                "{\"path\":\"%s\",\"new_folder\":\"out\"}".formatted(home)))
                .isEqualTo("Path resolves outside home directory");
        client.call("spawn_agent", "{\"path\":\"%s\",\"new_folder\":\"new one\"}".formatted(work));
        assertThat(work.resolve("new one")).isDirectory();
    }

    @Test
    void no_more_agents_run_at_once_than_may() throws Exception {
        Path work = home.toRealPath().resolve("work");
        String call = "{\"path\":\"" + work + "\"}";
        Path pipe = work.resolve("stay");
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
        for (int i = 0; i < TestRegistry.MOST_AGENTS; i++) {
            client.call("spawn_agent", call);
        }
        assertThat(client.error("spawn_agent", call))
                .isEqualTo("Failed to spawn: 3 agents are running, which is the limit");
        // Open on both ends, so that one that is not that far yet finds its line later.
        try (RandomAccessFile both = new RandomAccessFile(pipe.toFile(), "rw")) {
            both.writeBytes("go\n".repeat(TestRegistry.MOST_AGENTS));
            testRegistry.awaitAgents();
        }
    }

    @Test
    void folders_and_spawning_are_off_unless_allowed() throws Exception {
        try (TestRegistry closed =
                        new TestRegistry(
                                TestRegistry.Options.in(
                                                Files.createDirectories(folder.resolve("other")))
                                        .browsing(home));
                TestRegistryClient visitor = closed.dashboard()) {
            assertThat(visitor.error("spawn_agent", "{\"path\":\"" + home + "/work\"}"))
                    .startsWith("Failed to spawn: not allowed");
            assertThat(visitor.error("list_directories", null))
                    .startsWith("Folders are for those who may spawn");
        }
    }

    private static List<String> names(JsonNode listing) {
        List<String> names = new ArrayList<>();
        listing.path("directories").forEach(name -> names.add(name.asString()));
        return names;
    }
}
