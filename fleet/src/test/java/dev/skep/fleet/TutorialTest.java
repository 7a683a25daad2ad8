package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.Main;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.FreePort;
import dev.skep.testkit.JavaCommand;
import dev.skep.testkit.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does what the tutorial says, block by block, in bash. Machines are home folders; a block tells
 * the machine it is for, whether it is a service, and whether it has to wait for something.
 */
@Timeout(180)
class TutorialTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String PRELUDE =
            """
            set -e
            skep() { '%s' "$@"; }
            ssh() { HOME="$HOMES/$1" "${@:2}"; }
            """
                    .formatted(String.join("' '", JavaCommand.of(Main.class)));

    @TempDir Path homes;
    private final Map<String, Process> services = new HashMap<>();
    private final Map<String, String> environment = new HashMap<>();

    @AfterEach
    void stopAll() throws InterruptedException {
        for (String machine : List.copyOf(services.keySet())) {
            stop(machine);
        }
    }

    @Test
    void every_block_of_the_tutorial_does_what_it_says() throws Exception {
        environment.put("HOMES", homes.toString());
        environment.put("PATH", System.getenv("PATH"));
        environment.put("POSTGRES_URL", PostgresServer.newDatabaseUrl());
        environment.put("SKEP_REGISTRY_PORT", "none");
        String firstAddress = "127.0.0.1:" + FreePort.any();
        int run = 0;
        for (CodeBlocks.Block block : CodeBlocks.of(ROOT.resolve("docs/tutorial.md"))) {
            String machine = block.info().replaceFirst(".*\\bon (\\w+).*", "$1");
            Map<String, String> told = new HashMap<>(environment);
            told.put("HOME", Files.createDirectories(homes.resolve(machine)).toString());
            told.put("SKEP_HOSTNAME", machine);
            told.put("SKEP_LISTEN", machine.equals("first") ? firstAddress : "127.0.0.1:0");
            if (block.info().contains("stopped")) {
                stop(machine);
            }
            if (block.info().contains("service")) {
                serve(machine, block, told);
            } else if (block.info().contains("when")) {
                Eventually.holds(block.info(), () -> status(block, told) == 0);
            } else {
                int status = status(block, told);
                assertThat(status)
                        .as(
                                "line %d: %s%n%s",
                                block.line(), block.text(), Files.readString(lastOut()))
                        .isZero();
            }
            run++;
        }
        assertThat(run).isGreaterThan(10);
    }

    private void serve(String machine, CodeBlocks.Block block, Map<String, String> told)
            throws IOException {
        Path out = homes.resolve(machine + ".out");
        Process service = bash(block, told).redirectOutput(out.toFile()).start();
        services.put(machine, service);
        Eventually.holds(
                block.text() + " is up",
                () -> {
                    try {
                        return Files.readString(out).contains(" is up ");
                    } catch (IOException e) {
                        return false;
                    }
                });
    }

    private int status(CodeBlocks.Block block, Map<String, String> told) {
        try {
            return bash(block, told).redirectOutput(lastOut().toFile()).start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Path lastOut() {
        return homes.resolve("last.out");
    }

    private static ProcessBuilder bash(CodeBlocks.Block block, Map<String, String> told) {
        ProcessBuilder bash = new ProcessBuilder("bash", "-c", PRELUDE + block.text());
        bash.environment().clear();
        bash.environment().putAll(told);
        return bash.redirectErrorStream(true);
    }

    private void stop(String machine) throws InterruptedException {
        Process service = services.remove(machine);
        if (service != null) {
            List<ProcessHandle> below = service.children().toList();
            below.forEach(ProcessHandle::destroy);
            below.forEach(each -> each.onExit().join());
            service.waitFor();
        }
    }
}
