package dev.skep.fleet.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./skep dist} as a stranger gets it: unpacked somewhere, checked, started. */
class MakingADistributionTest {
    private static final Path SOURCES = Path.of("..").toAbsolutePath().normalize();

    @TempDir Path world;

    @Test
    void what_is_packed_can_be_checked_and_starts_from_a_folder_with_spaces() throws Exception {
        Path out = world.resolve("out of here");
        String made =
                run(
                        SOURCES,
                        SOURCES.resolve("packaging/dist.sh").toString(),
                        System.getProperty("skep.jar"),
                        out.toString());
        assertThat(made.strip()).matches(".*/skep-\\d+\\.\\d+\\.\\d+\\S*\\.tar\\.gz");
        Path packed = Path.of(made.strip());
        run(out, "sha256sum", "-c", packed.getFileName() + ".sha256");

        Path there = Files.createDirectories(world.resolve("some where/else"));
        run(there, "tar", "-xzf", packed.toString());
        Path skep = there.resolve(packed.getFileName().toString().replace(".tar.gz", ""));
        run(skep, "sha256sum", "-c", "SHA256SUMS");

        assertThat(run(there, skep.resolve("skep").toString(), "--version"))
                .isEqualTo(skep.getFileName().toString().replace("skep-", "skep ") + "\n");
        assertThat(
                        run(
                                there,
                                skep.resolve("skep").toString(),
                                "doctor",
                                "--data-dir",
                                "new one",
                                "--listen",
                                "127.0.0.1:0",
                                "--registry-port",
                                "none"))
                .contains("java")
                .doesNotContain("problem");
    }

    @Test
    void the_version_is_a_semantic_one_and_the_units_run_commands_there_are() throws IOException {
        String pom = Files.readString(SOURCES.resolve("pom.xml"));
        assertThat(pom)
                .containsPattern("\n  <version>\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?</version>");
        String help = run(SOURCES, java(), "-jar", System.getProperty("skep.jar"), "--help");
        for (String unit : List.of("runner", "hub")) {
            String text = Files.readString(SOURCES.resolve("packaging/skep-" + unit + ".service"));
            var command = Pattern.compile("ExecStart=/opt/skep/skep (\\w+)").matcher(text);
            assertThat(command.find()).isTrue();
            assertThat(help).containsPattern("\n  " + command.group(1) + " +");
        }
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static String run(Path in, String... command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).directory(in.toFile());
            builder.environment()
                    .putAll(
                            Map.of(
                                    "JAVA_HOME",
                                    System.getProperty("java.home"),
                                    "SKEP_AOT",
                                    "off"));
            Process process = builder.redirectErrorStream(true).start();
            String printed =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(printed).isZero();
            return printed;
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
