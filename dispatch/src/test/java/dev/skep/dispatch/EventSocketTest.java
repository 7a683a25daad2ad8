package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventSocketTest {
    @TempDir Path folder;
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private DispatchTestHub hub;

    @BeforeEach
    void open() {
        hub = new DispatchTestHub(folder);
        hub.beat("h1");
    }

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void events_come_as_they_happen_and_a_listener_that_returns_gets_what_it_missed()
            throws Exception {
        WebSocket first = listen("");
        String before = hub.create();
        JsonFields event = next();
        assertThat(event.text("type")).isEqualTo("job.created");
        assertThat(job(event)).isEqualTo(before);
        first.abort();
        String missed = hub.create();

        WebSocket second = listen("?after=" + event.text("id"));
        assertThat(job(next())).isEqualTo(missed);
        second.abort();
    }

    @Test
    void events_that_are_no_longer_known_are_replaced_by_a_reset() throws Exception {
        WebSocket socket = listen("?after=another-7");
        assertThat(next().text("type")).isEqualTo("reset");
        socket.abort();
    }

    private static String job(JsonFields event) {
        return event.object("data").orElseThrow().text("jobId");
    }

    private JsonFields next() throws InterruptedException {
        return Json.fields(String.valueOf(received.poll(10, TimeUnit.SECONDS)));
    }

    private WebSocket listen(String query) {
        URI url = URI.create(hub.url().replaceFirst("^http", "ws") + "/events/default" + query);
        return hub.client()
                .newWebSocketBuilder()
                .header("Authorization", "Bearer operator:default")
                .buildAsync(
                        url,
                        new WebSocket.Listener() {
                            @Override
                            public @Nullable CompletionStage<?> onText(
                                    WebSocket socket, CharSequence text, boolean last) {
                                received.add(text.toString());
                                socket.request(1);
                                return null;
                            }
                        })
                .join();
    }
}
