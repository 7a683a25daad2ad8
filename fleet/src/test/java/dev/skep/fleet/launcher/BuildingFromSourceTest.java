package dev.skep.fleet.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When and how the launcher calls Maven, with a Maven that only notes that it was called. */
class BuildingFromSourceTest {
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));

    private static final String MAKES_A_BENCHMARK =
            """
            made="$PWD/benchmark/target/quick"
            mkdir -p "$made/classes" "$PWD/kernel/target/quick"
            echo class >"$made/classes/Main.class"
            echo jar >"$PWD/kernel/target/quick/ours.jar"
            echo "other.jar:$PWD/kernel/target/quick/ours.jar" >"$made/classpath"
            """;

    @TempDir Path world;
    Installation skep;
    Path calls;

    @BeforeEach
    void check_out() throws IOException {
        skep = new Installation(world);
        skep.environment.put("JAVA_HOME", skep.fakeJdk("jdk", "25.0.3").toString());
        calls = world.resolve("mvn.calls");
        source(
                "pom.xml",
                "<module>kernel</module>\n<module>app</module>\n<module>benchmark</module>\n");
        source("kernel/src/main/java/A.java", "");
        source("kernel/src/main/java/B.java", "");
        source("kernel/src/test/java/ATest.java", "");
        source("app/src/main/java/Main.java", "");
        Files.setLastModifiedTime(skep.folder.resolve("kernel/src/main/java"), LONG_AGO);
        Files.setLastModifiedTime(skep.folder.resolve("kernel/src/main"), LONG_AGO);
        Files.setLastModifiedTime(skep.folder.resolve("app/src/main/java"), LONG_AGO);
        Files.setLastModifiedTime(skep.folder.resolve("app/src/main"), LONG_AGO);
        mavenThat(
                """
                echo '[INFO] Building Skep kernel 1.0      [1/2]'
                mkdir -p app/target/quick && echo jar >app/target/quick/skep.jar
                """);
    }

    @Test
    void a_first_start_builds_what_ships_with_visible_progress_and_then_runs_it()
            throws IOException {
        Ran ran = skep.run("up");

        assertThat(ran.status()).isZero();
        assertThat(ran.err()).contains("skep: building app").contains("Skep kernel 1.0 [1/2]");
        assertThat(ran.out()).contains("app/target/quick/skep.jar\nup\n").doesNotContain("INFO");
        assertThat(mavenCalls())
                .singleElement()
                .asString()
                .contains("-Dskep.quick -Dskep.target=target/quick -pl app package");
    }

    @Test
    void nothing_is_built_while_the_jar_is_newer_than_the_sources() throws IOException {
        skep.run("--version");
        touch("kernel/src/test/java/ATest.java");
        source("benchmark/src/main/java/Bench.java", "");

        assertThat(skep.run("--version").err()).isEmpty();
        assertThat(mavenCalls()).hasSize(1);
    }

    @Test
    void a_changed_or_deleted_source_is_built_again() throws IOException {
        skep.run("--version");
        touch("kernel/src/main/java/A.java");
        skep.run("--version");
        assertThat(mavenCalls()).hasSize(2);

        Files.setLastModifiedTime(skep.folder.resolve("kernel/src/main/java/A.java"), LONG_AGO);
        Files.delete(skep.folder.resolve("kernel/src/main/java/B.java"));
        skep.run("--version");
        assertThat(mavenCalls()).hasSize(3);
    }

    @Test
    void what_is_edited_during_a_build_is_built_again() throws IOException {
        mavenThat(
                """
                touch kernel/src/main/java/A.java
                mkdir -p app/target/quick && echo jar >app/target/quick/skep.jar
                """);
        skep.run("--version");
        skep.run("--version");

        assertThat(mavenCalls()).hasSize(2);
    }

    @Test
    void half_a_jar_that_a_killed_build_left_is_built_again() throws IOException {
        mavenThat(
                """
                mkdir -p app/target/quick && echo half >app/target/quick/skep.jar
                kill -9 "$(readlink target/quick.lock)"
                """);
        assertThat(skep.run("--version").status()).isNotZero();
        mavenThat("mkdir -p app/target/quick && echo jar >app/target/quick/skep.jar");
        assertThat(skep.run("--version").status()).isZero();

        assertThat(mavenCalls()).hasSize(2);
    }

    @Test
    void a_failed_build_shows_the_errors_and_runs_nothing() {
        mavenThat(
                """
                echo '[INFO] noise'
                echo '[ERROR] A.java:[3,1] cannot find symbol'
                echo '[ERROR] -> [Help 1]'
                exit 1
                """);

        Ran ran = skep.run("up");

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .contains("A.java:[3,1] cannot find symbol")
                .contains("the build failed")
                .doesNotContain("noise", "Help");
    }

    @Test
    void two_starts_at_once_build_once() throws Exception {
        // The first Maven goes on only when the second launcher has said that it waits.
        Path go = world.resolve("go");
        mavenThat(
                """
                until [ -e "%s" ]; do sleep 0.05; done
                mkdir -p app/target/quick && echo jar >app/target/quick/skep.jar
                """
                        .formatted(go));
        String command = skep.folder.resolve("skep").toString();
        Process first = skep.start(world, command, "--version");
        try (var said = first.errorReader()) {
            assertThat(said.readLine()).contains("building");
            Process second = skep.start(world, command, "--version");
            try (var waiting = second.errorReader()) {
                assertThat(waiting.readLine()).contains("waiting for the build of process");
                Installation.write(go, "");
                assertThat(first.waitFor()).isZero();
                assertThat(second.waitFor()).isZero();
            }
        }
        assertThat(mavenCalls()).hasSize(1);
        assertThat(skep.folder.resolve("target/quick.lock")).doesNotExist();
    }

    @Test
    void a_lock_whose_holder_is_gone_is_taken_over() throws Exception {
        Process gone = skep.start(world, "sh", "-c", "exit 0");
        gone.waitFor();
        Installation.directory(skep.folder.resolve("target"));
        Files.createSymbolicLink(
                skep.folder.resolve("target/quick.lock"), Path.of(Long.toString(gone.pid())));

        assertThat(skep.run("--version").status()).isZero();
    }

    @Test
    void without_maven_one_line_says_what_to_install() throws IOException {
        Files.delete(world.resolve("bin/mvn"));

        Ran ran = skep.run("up");

        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.errorLines()).singleElement().asString().contains("install Maven 3.8");
    }

    @Test
    void bench_builds_and_runs_the_benchmark_module_on_its_own_class_path() throws IOException {
        source("benchmark/pom.xml", "");
        mavenThat(MAKES_A_BENCHMARK);

        Ran ran = skep.run("bench", "store", "--quick");

        assertThat(mavenCalls()).singleElement().asString().contains("-pl benchmark package");
        assertThat(ran.out())
                .containsPattern("benchmark/target/quick/run.[0-9]+/classes:other.jar:.*/ours.jar")
                .endsWith("dev.skep.benchmark.BenchmarkMain\nstore\n--quick\n");
        assertThat(skep.run("bench", "store").err()).isEmpty();
        assertThat(mavenCalls()).hasSize(1);
    }

    @Test
    void a_bench_that_runs_keeps_its_classes_when_others_build() throws Exception {
        source("benchmark/pom.xml", "");
        mavenThat(MAKES_A_BENCHMARK);
        skep.run("bench");
        Path first = skep.folder.resolve(Files.readAllLines(run()).getFirst());
        Process running = skep.start(world, "sleep", "60");
        try {
            Installation.write(first.resolve(Long.toString(running.pid())), "");
            buildBenchAgain();
            buildBenchAgain();
            assertThat(first.resolve("classes/Main.class")).exists();
        } finally {
            running.destroyForcibly().waitFor();
        }
        buildBenchAgain();
        assertThat(first).doesNotExist();
        assertThat(Path.of(Files.readAllLines(run()).getFirst())).exists();
    }

    @Test
    void many_that_find_the_lock_of_a_process_that_is_gone_build_once() throws Exception {
        source("benchmark/pom.xml", "");
        mavenThat(MAKES_A_BENCHMARK);
        Process gone = skep.start(world, "sh", "-c", "exit 0");
        gone.waitFor();
        Installation.directory(skep.folder.resolve("target"));
        Files.createSymbolicLink(
                skep.folder.resolve("target/quick.lock"), Path.of(Long.toString(gone.pid())));

        List<Process> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(skep.start(world, skep.folder.resolve("skep").toString(), "bench"));
        }
        for (Process each : all) {
            assertThat(new String(each.getInputStream().readAllBytes(), UTF_8))
                    .endsWith("dev.skep.benchmark.BenchmarkMain\n");
            assertThat(each.waitFor()).isZero();
        }
        assertThat(mavenCalls()).hasSize(1);
        try (var left = Files.list(skep.folder.resolve("target"))) {
            assertThat(left.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("quick.lock"));
        }
    }

    private void buildBenchAgain() throws IOException {
        Files.setLastModifiedTime(run(), LONG_AGO);
        touch("kernel/src/main/java/A.java");
        assertThat(skep.run("bench").status()).isZero();
        Files.setLastModifiedTime(skep.folder.resolve("kernel/src/main/java/A.java"), LONG_AGO);
    }

    private Path run() {
        return skep.folder.resolve("benchmark/target/quick/run");
    }

    @Test
    void bench_without_its_module_is_one_line() {
        Ran ran = skep.run("simulate");

        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.errorLines()).singleElement().asString().contains("no module simulation");
    }

    private void mavenThat(String does) {
        Installation.script(
                world.resolve("bin/mvn"), "#!/bin/sh\necho \"$@\" >>'" + calls + "'\n" + does);
    }

    private List<String> mavenCalls() throws IOException {
        return Files.readAllLines(calls);
    }

    private void source(String path, String text) throws IOException {
        Path file = skep.folder.resolve(path);
        Installation.write(file, text);
        Files.setLastModifiedTime(file, LONG_AGO);
    }

    private void touch(String path) throws IOException {
        // Beyond any doubt newer, whatever the file system's resolution.
        Files.setLastModifiedTime(
                skep.folder.resolve(path), FileTime.from(Instant.parse("2100-01-01T00:00:00Z")));
    }
}
