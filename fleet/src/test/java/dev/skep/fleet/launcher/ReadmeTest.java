package dev.skep.fleet.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.skep.fleet.CodeBlocks;
import dev.skep.testkit.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does what the README says, with bash, in a folder like a checkout. Only Maven is played: it hands
 * out the jar that the build which runs this test has made. The first start makes the data dir and
 * the AOT cache that all later commands have.
 */
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReadmeTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path README = ROOT.resolve("README.md");

    /** What a line of a sample leaves out. */
    private static final String ANY = "…";

    private static final Pattern LOGGED = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT");

    private static final Set<String> SERVICES =
            Set.of("run", "hub", "up", "registry", "supervisor", "demo");

    private final int port = FreePort.any();
    private final int registryPort = FreePort.any();
    private Installation checkout;

    @BeforeAll
    void check_out(@TempDir Path world) {
        checkout = new Installation(world);
        Installation.write(checkout.folder.resolve("pom.xml"), "<module>app</module>\n");
        Installation.script(
                world.resolve("bin/mvn"),
                """
                #!/bin/sh
                echo '[INFO] Building Skep app [1/1]'
                mkdir -p app/target/quick && cp '%s' app/target/quick/skep.jar
                """
                        .formatted(System.getProperty("skep.jar")));
        checkout.environment.compute("PATH", (_, tools) -> tools + ":" + System.getenv("PATH"));
        checkout.environment.put("JAVA_HOME", System.getProperty("java.home"));
        checkout.environment.put("SKEP_LISTEN", "127.0.0.1:" + port);
        checkout.environment.put("SKEP_REGISTRY_PORT", String.valueOf(registryPort));
        checkout.environment.remove("SKEP_AOT");
    }

    @AfterAll
    void awaitTraining() {
        checkout.awaitBackground();
    }

    @Test
    @Order(1)
    void its_first_command_prints_what_the_readme_shows_and_the_others_work_beside_it()
            throws Exception {
        try (Running up = start(commands().getFirst())) {
            boolean maySkip = false;
            for (String line : sample()) {
                if (line.strip().equals(ANY)) {
                    maySkip = true;
                } else {
                    up.await(pattern(line), maySkip);
                    maySkip = false;
                }
            }
            assertHealthy(port);
            // Their cache would be trained in the background, beside all that is still to come.
            checkout.environment.put("SKEP_AOT", "off");
            for (String command : inlineCommands()) {
                if (!isService(command)) {
                    assertAnswers(command);
                }
            }
            checkout.environment.remove("SKEP_AOT");
        }
    }

    @Test
    @Order(2)
    void its_second_command_is_what_runs_this_test_and_what_every_change_must_pass()
            throws IOException {
        assertThat(commands()).hasSize(2).last().isEqualTo("mvn verify");
        assertThat(System.getProperty("skep.goal")).isEqualTo("verify");
        assertThat(Files.readAllLines(ROOT.resolve(".ci/run")))
                .filteredOn(line -> line.matches("mvn .*"))
                .singleElement()
                .asString()
                .containsPattern(" verify( |$)")
                .doesNotContainPattern("-pl|skip|-Dtest");
    }

    @Test
    @Order(3)
    void everything_it_calls_a_service_starts_answers_and_ends_cleanly() throws Exception {
        Set<String> services =
                inlineCommands().stream()
                        .filter(ReadmeTest::isService)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
        assertThat(services)
                .contains("./skep run --supervisor", "./skep hub --supervisor", "./skep demo");
        for (String service : services) {
            // A hub would get a cache of its own made first.
            checkout.environment.put("SKEP_AOT", service.contains("skep hub") ? "off" : "on");
            boolean registry = service.endsWith(" registry");
            // Told by a flag only, and its usual port may be taken on this machine.
            try (Running running = start(service + (registry ? " --port " + registryPort : ""))) {
                running.await(Pattern.compile("skep .* is up after .*"), true);
                if (!service.endsWith("demo")) {
                    assertHealthy(registry ? registryPort : port);
                }
            }
        }
    }

    private static List<String> commands() throws IOException {
        return CodeBlocks.of(README).stream()
                .filter(block -> block.info().equals("sh"))
                .flatMap(block -> block.text().lines())
                .map(line -> line.replaceFirst(" +#.*", ""))
                .toList();
    }

    /** What the block that shows the first command shows below it. */
    private static List<String> sample() throws IOException {
        List<String> sample =
                CodeBlocks.of(README).stream()
                        .filter(block -> block.info().isEmpty())
                        .map(block -> block.text().lines().toList())
                        .findFirst()
                        .orElseThrow();
        assertThat(sample.getFirst()).isEqualTo("$ " + commands().getFirst());
        assertThat(sample).hasSizeGreaterThan(10);
        return sample.subList(1, sample.size());
    }

    /** Also those of a table's row with the flags that stand beside them. */
    private static Set<String> inlineCommands() throws IOException {
        Set<String> commands = new LinkedHashSet<>();
        Pattern code = Pattern.compile("`(\\./skep[^`]*|--[^`]*|run [^`]*)`");
        for (String line : Files.readAllLines(README)) {
            String last = "";
            for (String found :
                    code.matcher(line).results().map(match -> match.group(1)).toList()) {
                if (found.startsWith("./skep")) {
                    last = found;
                    commands.add(found);
                } else {
                    commands.add(found.startsWith("--") ? last + " " + found : "./skep " + found);
                }
            }
        }
        assertThat(commands).hasSizeGreaterThan(12);
        return commands;
    }

    private static boolean isService(String command) {
        return SERVICES.contains(command.split(" ", -1)[1]);
    }

    /** Ids and times differ each time; ports and homes here. */
    private Pattern pattern(String line) {
        String here =
                line.replace(":4280", ":" + port)
                        .replace(":31415", ":" + registryPort)
                        .replace("/home/you", checkout.environment.get("HOME"));
        return Pattern.compile(
                Stream.of(here.split(ANY + "|\\d+\\.\\d(?= s;)", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".+")));
    }

    private static void assertHealthy(int at) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + at + "/healthz");
            int status =
                    client.send(
                                    HttpRequest.newBuilder(uri).build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode();
            assertThat(status).isEqualTo(200);
        }
    }

    private void assertAnswers(String command) {
        Ran ran = checkout.runFrom(checkout.folder, "bash", "-c", command);
        assertThat(ran.status()).as("%s: %s", command, ran).isZero();
        assertThat(ran.out()).as(command).isNotBlank();
    }

    private Running start(String command) throws IOException {
        return new Running(
                command,
                checkout.start(checkout.folder, "bash", "-c", "exec 2>&1; exec " + command));
    }

    /** A service; closed, it has ended with status 0. */
    private record Running(
            String command, Process process, BufferedReader lines, List<String> printed)
            implements AutoCloseable {
        Running(String command, Process process) {
            this(command, process, process.inputReader(), new ArrayList<>());
        }

        /** Reads the next line, or on to one that matches; the log comes when it comes. */
        void await(Pattern wanted, boolean maySkip) throws IOException {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                printed.add(line);
                if (wanted.matcher(line).matches()) {
                    return;
                }
                if (!maySkip && !LOGGED.matcher(line).lookingAt()) {
                    break;
                }
            }
            fail("%s printed no line like %s:%n%s", command, wanted, String.join("\n", printed));
        }

        @Override
        public void close() {
            // By its handle: a process that is told to end loses its pipe, and may not end for it.
            process.toHandle().destroy();
            CompletableFuture<String> rest = Installation.reading(process.getInputStream());
            assertThat(process.onExit().join().exitValue())
                    .as("%s printed:%n%s%n%s", command, String.join("\n", printed), rest.join())
                    .isZero();
        }
    }
}
