package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.Main;
import dev.skep.cli.admin.AdminFile;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.FakeClock;
import dev.skep.testkit.FreePort;
import dev.skep.testkit.JavaCommand;
import dev.skep.testkit.Killable;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody sets the clock of the machine that a hub runs on, and sets it again. */
@Timeout(120)
class ClockThatStepsTest {
    private static final String ORG = "/api/orgs/default";

    /** Longer than the pause between two looks for hosts and runs that are overdue. */
    private static final Duration LOOKS = Duration.ofMillis(5_500);

    @TempDir Path folder;

    @Test
    void ends_no_job_attempt_link_or_session_and_tells_of_no_host_that_it_is_gone()
            throws Exception {
        FakeClockIsThereTest.assumeThatItIs();
        FakeClock clock = FakeClock.in(folder);
        // The job may run as a user of its own, who is to see the file it waits for.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path go = folder.resolve("go");
        String url = "http://127.0.0.1:" + FreePort.any();
        try (Killable hub = hub(clock, url);
                Killable _ = runner(url)) {
            HttpVisitor admin = admin(url);
            HttpVisitor person = admin.operatorOf("default", "mia");
            String host = host(admin);
            String job = jobThatWaitsFor(go, admin, host);
            Eventually.holds("the job runs", () -> status(person, job).equals("running"));
            // The job may have come over HTTP, before the link was there.
            Eventually.holds("the link is recorded", () -> !links(person).equals("[]"));
            String link = links(person);

            for (Duration step : List.of(Duration.ofHours(2), Duration.ofDays(-3))) {
                clock.set(step);
                hub.letRun(LOOKS);
                assertThat(status(person, job)).isEqualTo("running");
                assertThat(links(person)).isEqualTo(link);
                assertThat(alerts(person)).isEmpty();
            }
            hub.killAndStart();
            Eventually.holds("the session is good", () -> answers(person));
            Files.createFile(go);
            Eventually.holds("the job ends", () -> status(person, job).equals("succeeded"));

            assertThat(fields(person, ORG + "/jobs/" + job + "/runs").list("runs"))
                    .extracting(run -> run.number("attempt"))
                    .containsExactly(1L);
            assertThat(alerts(person)).isEmpty();
        }
    }

    private Killable hub(FakeClock clock, String url) throws IOException {
        Path dataDir = Files.createDirectories(folder.resolve("hub"));
        Files.writeString(dataDir.resolve(".env"), "HUB_ACCESS_KEY=of-this-fleet\n");
        ProcessBuilder builder =
                process(dataDir, url.substring("http://".length()), "hub", "--supervisor");
        return new Killable(clock.governs(builder), _ -> {});
    }

    private Killable runner(String hub) throws IOException {
        Path dataDir = Files.createDirectories(folder.resolve("box"));
        Files.writeString(dataDir.resolve("allowed-commands"), "*\n");
        Files.writeString(
                dataDir.resolve(".env"),
                "HUB_URLS=%s%nHUB_ACCESS_KEY=of-this-fleet%nSKEP_ALLOW=jobs%n".formatted(hub));
        return new Killable(process(dataDir, "127.0.0.1:0", "run"), _ -> {});
    }

    private static ProcessBuilder process(Path dataDir, String listen, String... command) {
        ProcessBuilder builder =
                JavaCommand.process(Main.class, command)
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.command()
                .addAll(
                        List.of(
                                "--data-dir",
                                dataDir.toString(),
                                "--hostname",
                                String.valueOf(dataDir.getFileName()),
                                "--listen",
                                listen,
                                "--registry-port",
                                "none"));
        return builder;
    }

    private HttpVisitor admin(String url) {
        Path dataDir = folder.resolve("hub");
        Eventually.holds("the hub is up", () -> AdminFile.read(dataDir).isPresent());
        return HttpVisitor.local(url, dataDir);
    }

    private static String host(HttpVisitor admin) {
        Eventually.holds("the runner is linked", () -> !hosts(admin).isEmpty());
        return hosts(admin).getFirst().text("id");
    }

    private static List<JsonFields> hosts(HttpVisitor admin) {
        return fields(admin, ORG + "/hosts").list("hosts");
    }

    private static String jobThatWaitsFor(Path file, HttpVisitor admin, String host)
            throws Exception {
        String command = "while [ ! -e '%s' ]; do sleep 0.1; done".formatted(file);
        return admin.post(
                        ORG + "/jobs",
                        Map.of(
                                "hostId",
                                host,
                                "type",
                                "shell",
                                "payload",
                                Map.of("command", command),
                                "maxAttempts",
                                3))
                .text("id");
    }

    private static String status(HttpVisitor visitor, String job) {
        return fields(visitor, ORG + "/jobs/" + job).shown("status");
    }

    private static List<String> alerts(HttpVisitor visitor) {
        return fields(visitor, ORG + "/alerts").list("alerts").stream()
                .map(alert -> alert.text("kind"))
                .toList();
    }

    /** When each link was opened, and when closed. */
    private static String links(HttpVisitor visitor) {
        return fields(visitor, ORG + "/view/connections").list("rows").stream()
                .map(link -> link.text("id") + " " + link.shown("closedAt"))
                .toList()
                .toString();
    }

    private static boolean answers(HttpVisitor visitor) {
        try {
            return visitor.get("/api/session").statusCode() == 200;
        } catch (IOException restarting) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonFields fields(HttpVisitor visitor, String path) {
        try {
            return Json.fields(visitor.get(path).body());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
