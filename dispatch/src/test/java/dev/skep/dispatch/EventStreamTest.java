package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventStreamTest {
    @TempDir Path folder;
    private DispatchTestHub hub;

    @BeforeEach
    void open() {
        hub = new DispatchTestHub(folder);
    }

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void events_come_as_they_happen_and_a_listener_that_returns_gets_what_it_missed()
            throws Exception {
        String last;
        try (BufferedReader lines = listen("operator:default", "default", "")) {
            hub.beat("h1");
            assertThat(next(lines, "event: ")).isEqualTo("host.online");
            create();
            last = next(lines, "id: ");
            assertThat(next(lines, "event: ")).isEqualTo("job.created");
        }
        create();
        hub.post("host:default:h1", "/api/agent/jobs/next", Map.of());

        try (BufferedReader lines = listen("operator:default", "default", last)) {
            assertThat(next(lines, "event: ")).isEqualTo("job.created");
            assertThat(next(lines, "event: ")).isEqualTo("job_run.started");
            assertThat(next(lines, "data: ")).contains("\"hostId\":\"h1\"");
        }
    }

    @Test
    void events_that_are_no_longer_known_are_replaced_by_a_reset() throws Exception {
        try (BufferedReader lines = listen("operator:default", "default", "another-7")) {
            assertThat(next(lines, "event: ")).isEqualTo("reset");
        }
    }

    @Test
    void no_one_receives_another_orgs_events() throws Exception {
        try (BufferedReader lines = listen("operator:b", "b", "")) {
            hub.beat("h1");
            hub.post("host:b:of-b", "/api/agent/heartbeat", Map.of());
            assertThat(next(lines, "data: ")).contains("of-b");
        }
    }

    private void create() {
        hub.post(
                "operator:default",
                "/api/orgs/default/jobs",
                Map.of("hostId", "h1", "type", "shell", "payload", Map.of("command", "true")));
    }

    private BufferedReader listen(String token, String org, String after) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(hub.url() + "/api/orgs/" + org + "/events"))
                        .header("Authorization", "Bearer " + token);
        if (!after.isEmpty()) {
            request.header("Last-Event-ID", after);
        }
        BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                hub.client()
                                        .send(request.build(), BodyHandlers.ofInputStream())
                                        .body(),
                                StandardCharsets.UTF_8));
        if (after.isEmpty()) {
            assertThat(lines.readLine()).isEqualTo(": hello");
        }
        return lines;
    }

    private static String next(BufferedReader lines, String prefix) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(prefix)) {
                return line.substring(prefix.length());
            }
        }
        throw new IOException("the stream ended");
    }
}
