package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.config.Configuration;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.server.FreezingPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A balancer asks again and again, and must be answered whatever became of the database. */
@Timeout(90)
class ReadyOrNotTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir Path folder;
    private final HttpClient http = HttpClient.newHttpClient();

    /** What was answered, and how soon. */
    private record Answered(int status, String body, Duration after) {
        boolean says(int expected) {
            return status == expected;
        }
    }

    @Test
    void a_hub_whose_server_is_frozen_or_dead_says_so_within_a_second() throws Exception {
        try (FreezingPostgres postgres = new FreezingPostgres(folder);
                Lifecycle hub = new Lifecycle()) {
            Configuration configuration =
                    TestSettings.hubWithNodes(folder.resolve("hub"), postgres.url());
            Assembly.Opened opened =
                    new Assembly(configuration, hub, folder, "test")
                            .open(Composition.hubOnly(false), Terminal.none());
            assertThat(ask(opened).status()).isEqualTo(200);

            postgres.freeze();
            awaitRefused(opened);
            postgres.thaw();
            Eventually.holds("it is ready again", () -> ask(opened).says(200));

            postgres.kill();
            awaitRefused(opened);
        }
    }

    /** What was true a moment ago counts that long. */
    private void awaitRefused(Assembly.Opened opened) {
        Eventually.holds(
                "it is not ready",
                () -> {
                    Answered answer = ask(opened);
                    assertThat(answer.after()).isLessThan(SECOND);
                    return answer.says(503);
                });
        Answered answer = ask(opened);
        assertThat(answer.body()).contains("not ready: hub database: does not answer");
        assertThat(answer.after()).isLessThan(SECOND);
    }

    private Answered ask(Assembly.Opened opened) {
        long begun = System.nanoTime();
        try {
            HttpResponse<String> answer =
                    http.send(
                            HttpRequest.newBuilder(URI.create(opened.url() + "/readyz")).build(),
                            HttpResponse.BodyHandlers.ofString());
            return new Answered(
                    answer.statusCode(),
                    answer.body(),
                    Duration.ofNanos(System.nanoTime() - begun));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
