package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of agents whose runtime is another program, and disk limits of all. */
class ManagedAgentsInWorkspacesTest {
    @TempDir Path dir;
    private Path dataDir;

    @BeforeEach
    void a_runtime() throws IOException {
        dataDir = Files.createDirectories(dir.resolve("data"));
        ManagedFixture.runtime(dataDir, "fixture");
    }

    private void git(Path folder, String... words) throws IOException, InterruptedException {
        List<String> all =
                new ArrayList<>(
                        List.of("git", "-c", "user.name=o", "-c", "user.email=o@example.org"));
        all.addAll(List.of(words));
        assertThat(new ProcessBuilder(all).directory(folder.toFile()).start().waitFor()).isZero();
    }

    @Test
    void its_program_works_in_the_clone() throws Exception {
        Path repo = Files.createDirectories(dir.resolve("shop"));
        git(repo, "init", "-q", "-b", "main");
        git(repo, "commit", "-q", "--allow-empty", "-m", "First");
        ManagedFixture.agent(dataDir, "dora", "Hi.\n!say ready", "workspace: { repo: ../shop }\n");
        try (TestRunner test = TestRunner.start(dataDir, new PlayedModels())) {
            test.recorder.await("dora is WAITING");
            Path clone = dataDir.resolve("work/dora/repo");
            assertThat(ManagedFixture.processes(clone)).hasSize(1);
            Files.writeString(clone.resolve("a.txt"), "a\n");
            assertThat(test.runner.agentService().workspaces().diff("dora").text())
                    .contains("+++ b/a.txt");
        }
    }

    @Test
    void an_agent_whose_repository_cannot_be_cloned_says_so_and_waits_for_a_person()
            throws InterruptedException {
        ManagedFixture.agent(
                dataDir, "dora", "Hi.\n!say ready", "workspace: { repo: ../nowhere }\n");
        try (TestRunner test = TestRunner.start(dataDir, new PlayedModels())) {
            test.recorder.await("dora is FAILED", "workspace: the repository", "cannot be cloned");
            assertThat(ManagedFixture.processes(dataDir)).isEmpty();
        }
    }

    @Test
    void it_is_told_before_its_disk_limit_and_held_at_it_until_there_is_room() throws Exception {
        ManagedFixture.agent(dataDir, "dora", "Hi.\n!say ready", "disk_limit: 10MB\n");
        try (TestRunner test = TestRunner.start(dataDir, new PlayedModels())) {
            test.recorder.await("dora is WAITING");
            Path file = dataDir.resolve("work/dora/file");
            Files.write(file, new byte[9 << 20]);
            ManagedFixture.talk(test, "dora", "!say near");
            test.recorder.await("dora PROMPT", "Your folder holds 9 MB of the 10 MB");
            test.recorder.await(2, "dora TURN_END");
            Files.write(file, new byte[11 << 20]);
            ManagedFixture.talk(test, "dora", "!say again");
            test.recorder.await("dora is BACKING_OFF", "raise disk_limit");
            assertThat(test.log("dora")).doesNotContain("REPLY: again");
            Files.delete(file);
            test.recorder.await("dora REPLY: again");
        }
    }

    @Test
    void our_own_loop_is_held_to_it_too() throws InterruptedException, IOException {
        TestRunner.agent(dataDir, "eve", "username: eve\nprompt: p\nmodel: eve\ndisk_limit: 1MB\n");
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "eve",
                                commands(
                                        List.of("head -c 900000 /dev/zero >big"),
                                        List.of("head -c 1100000 /dev/zero >big"),
                                        List.of("echo here again")));
        try (TestRunner test = TestRunner.start(dataDir, models)) {
            test.recorder.await("eve PROMPT", "Your folder holds 883 KB of the 1 MB");
            test.recorder.await("eve is BACKING_OFF", "raise disk_limit");
            Files.delete(dataDir.resolve("work/eve/big"));
            test.recorder.await("eve OUTPUT: here again");
        }
    }
}
