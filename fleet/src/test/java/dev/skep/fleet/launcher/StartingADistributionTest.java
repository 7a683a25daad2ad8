package dev.skep.fleet.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Launcher, jar and JDK together, with nothing to build and nothing to build it with. */
class StartingADistributionTest {
    @TempDir Path world;
    Installation skep;

    @BeforeEach
    void install() {
        skep = new Installation(world).withRealJar();
    }

    @Test
    void it_starts_from_another_folder_with_spaces_in_its_path() {
        Ran ran = skep.run("--version");

        assertThat(ran.out()).matches("skep \\d+\\.\\d+\\.\\d+\\S*\n");
        assertThat(ran.err()).isEmpty();
        assertThat(ran.status()).isZero();
    }

    @Test
    void it_starts_through_symlinks_absolute_and_relative() {
        Installation.link(world.resolve("bin/first"), skep.folder.resolve("skep"));
        Installation.link(world.resolve("bin/second"), Path.of("first"));

        assertThat(skep.runFrom(world, "bin/second", "--version").status()).isZero();
        skep.environment.compute("PATH", (_, path) -> world.resolve("bin") + ":" + path);
        assertThat(skep.runFrom(world, "sh", "-c", "second --version").status()).isZero();
    }

    @Test
    void it_starts_from_its_own_folder() {
        assertThat(skep.runFrom(skep.folder, "./skep", "--version").status()).isZero();
        assertThat(skep.runFrom(skep.folder, "sh", "skep", "--version").status()).isZero();
    }

    @Test
    void the_jvm_really_takes_the_trained_cache() throws IOException {
        skep.environment.remove("SKEP_AOT");
        Path log = world.resolve("classes.log");

        assertThat(skep.run("__train", "short").errorLines()).isEmpty();
        skep.environment.put("_JAVA_OPTIONS", "-Xlog:class+load:file=" + log);
        assertThat(skep.run("--version").status()).isZero();

        assertThat(Files.readAllLines(log))
                .filteredOn(line -> line.contains(" dev.skep.app.Main "))
                .singleElement()
                .asString()
                .contains("shared objects file");
    }

    @Test
    void bad_configuration_is_reported_one_line_a_problem_before_anything_is_opened() {
        Path dataDir = world.resolve("data");
        skep.environment.put("HUB_URLS", "ftp://hub");
        skep.environment.put("SKEP_LISTEN", "nowhere");

        Ran ran = skep.run("up", "--data-dir", dataDir.toString());

        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.errorLines())
                .hasSize(2)
                .allMatch(line -> line.matches("skep: .*; .* \\[bad_configuration]"));
        assertThat(dataDir).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"up", "agents"})
    void a_data_dir_that_is_a_file_is_one_line_and_status_3(String command) {
        Path file = world.resolve("file");
        Installation.write(file, "not a folder");

        Ran ran = skep.run(command, "--data-dir", file.toString());

        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.errorLines())
                .singleElement()
                .asString()
                .startsWith("skep: data dir " + file + " is a file")
                .endsWith("[data_dir_unusable]");
    }

    @Test
    void a_missing_jar_is_one_line_and_status_3() throws IOException {
        Files.delete(skep.folder.resolve("skep.jar"));

        Ran ran = skep.run("up");

        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.errorLines()).singleElement().asString().contains("skep.jar is missing");
    }

    @Test
    void up_keeps_a_private_data_dir_and_ends_cleanly_on_sigterm() throws Exception {
        Path dataDir = world.resolve("home/.skep");
        Process process = skep.start(world, skep.folder.resolve("skep").toString(), "up");
        try (BufferedReader err = process.errorReader()) {
            assertThat(err.readLine()).matches("skep .* is up after \\d+\\.\\d s; Ctrl-C stops it");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dataDir)))
                    .isEqualTo("rwx------");

            // The launcher became the JVM, so the signal reaches it.
            process.destroy();
            assertThat(process.waitFor(Duration.ofSeconds(5).toMillis(), TimeUnit.MILLISECONDS))
                    .isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
