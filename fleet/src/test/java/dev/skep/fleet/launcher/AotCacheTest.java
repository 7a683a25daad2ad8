package dev.skep.fleet.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stale AOT cache silently runs old code (JDK-8377932), so the wrong one must never be used. */
class AotCacheTest {
    @TempDir Path world;
    Installation skep;

    @BeforeEach
    void install() {
        skep = new Installation(world).withJar("first");
        skep.environment.put("JAVA_HOME", skep.fakeJdk("jdk", "25.0.3").toString());
        skep.environment.remove("SKEP_AOT");
    }

    @AfterEach
    void awaitTraining() {
        skep.awaitBackground();
    }

    @Test
    void a_trained_cache_is_named_by_flags_jdk_and_jar_and_used() {
        skep.run("__train");

        assertThat(usedBy("--version")).contains("short-25.0.3-" + sha256("first") + ".aot");
        assertThat(usedBy("up")).contains("serial-25.0.3-" + sha256("first") + ".aot");
        assertThat(usedBy("hub")).contains("g1-25.0.3-" + sha256("first") + ".aot");
    }

    @Test
    void no_file_of_figures_is_left_in_the_temporary_folder_by_a_killed_process() {
        assertThat(skep.run("up").out()).contains("-XX:-UsePerfData");
    }

    @Test
    void libraries_that_training_unpacked_are_used_until_the_jar_changes() {
        skep.run("__train", "short");

        String unpacked = skep.folder + "/aot/native-" + sha256("first");
        assertThat(skep.run("hub").out())
                .contains("-Dorg.sqlite.lib.path=" + unpacked)
                .contains("-Dorg.sqlite.tmpdir=" + unpacked);
        skep.withJar("other");
        assertThat(skep.run("hub").out()).doesNotContain("-Dorg.sqlite");
    }

    @Test
    void a_cache_of_another_jar_is_not_used_and_goes_away() throws IOException {
        skep.run("__train", "short");
        skep.withJar("other");

        assertThat(usedBy("--version")).isEmpty();
        assertThat(usedBy("--version")).contains("short-25.0.3-" + sha256("other") + ".aot");
        assertThat(caches()).doesNotContain("short-25.0.3-" + sha256("first") + ".aot");
    }

    @Test
    void a_jar_of_the_same_size_and_time_in_its_place_is_noticed() throws IOException {
        skep.run("__train", "short");
        Path jar = skep.folder.resolve("skep.jar");
        FileTime time = Files.getLastModifiedTime(jar);
        Path replacement = skep.folder.resolve("new.jar");
        Installation.write(replacement, "FIRST");
        Files.setLastModifiedTime(replacement, time);
        Files.move(replacement, jar, java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        assertThat(usedBy("--version")).isEmpty();
    }

    @Test
    void another_jdk_or_other_flags_need_another_cache() {
        skep.run("__train", "short");

        skep.environment.put("SKEP_JAVA_OPTS", "-Xmx99m");
        assertThat(usedBy("--version")).isEmpty();
        skep.environment.remove("SKEP_JAVA_OPTS");
        skep.environment.put("JAVA_HOME", skep.fakeJdk("newer", "25.0.4").toString());
        assertThat(usedBy("--version")).isEmpty();
    }

    @Test
    void a_start_without_a_cache_makes_one_for_the_next() {
        assertThat(usedBy("--version")).isEmpty();
        assertThat(usedBy("--version")).isPresent();
    }

    @Test
    void a_checkout_has_it_made_before_its_first_service_starts_and_says_so() {
        checkOut();

        Ran first = skep.run("up");
        assertThat(first.err()).contains("skep: preparing fast starts");
        assertThat(first.out()).contains("-XX:AOTCache=");
        assertThat(skep.run("up").err()).isEmpty();
    }

    @Test
    void a_checkout_does_not_let_a_short_command_wait_for_it() {
        checkOut();

        Ran first = skep.run("--version");
        assertThat(first.err()).doesNotContain("preparing");
        assertThat(first.out()).doesNotContain("-XX:AOTCache=");
        skep.awaitBackground();
        assertThat(usedBy("--version")).isPresent();
    }

    /** With a Maven that makes a jar at once. */
    private void checkOut() {
        Installation.write(skep.folder.resolve("pom.xml"), "<module>app</module>\n");
        Installation.script(
                world.resolve("bin/mvn"),
                "#!/bin/sh\nmkdir -p app/target/quick && echo jar >app/target/quick/skep.jar\n");
    }

    @Test
    void nothing_is_used_or_made_when_switched_off() {
        skep.environment.put("SKEP_AOT", "off");

        assertThat(usedBy("--version")).isEmpty();
        assertThat(usedBy("--version")).isEmpty();
        assertThat(skep.folder.resolve("aot")).doesNotExist();
    }

    @Test
    void a_distribution_that_cannot_be_written_uses_the_users_cache_folder() {
        Installation.write(skep.folder.resolve("aot"), "a file where the folder would be");
        skep.environment.put("XDG_CACHE_HOME", world.resolve("cache").toString());

        assertThat(skep.run("__train", "short").status()).isZero();
        assertThat(argument("--version"))
                .hasValueSatisfying(used -> assertThat(used).contains("/cache/skep/"));
    }

    private Optional<String> usedBy(String command) {
        return argument(command).map(path -> Path.of(path).getFileName().toString());
    }

    private Optional<String> argument(String command) {
        Optional<String> used =
                skep.run(command)
                        .out()
                        .lines()
                        .filter(line -> line.startsWith("-XX:AOTCache="))
                        .map(line -> line.substring("-XX:AOTCache=".length()))
                        .findFirst();
        skep.awaitBackground();
        return used;
    }

    private List<String> caches() throws IOException {
        try (Stream<Path> files = Files.list(skep.folder.resolve("aot"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static String sha256(String content) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of()
                    .formatHex(digest.digest(content.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
