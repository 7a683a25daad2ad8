package dev.skep.fleet;

import dev.skep.app.assembly.HostDatabases;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.link.HubSession;
import dev.skep.directory.link.HubUrl;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.transport.client.HttpApiClient;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A host with a good key that says what no host of ours says. */
final class Intruder implements AutoCloseable, WebSocket.Listener {
    private final Lifecycle lifecycle = new Lifecycle();
    private final HostProcess node;
    private final HttpClient client = HttpApiClient.newClient();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final StringBuilder part = new StringBuilder();
    private final WebSocket socket;

    Intruder(Path dataDir, HubNode hub) {
        // Enrolled like any host, but without a link of its own, which would take this one's place.
        Configuration alone = TestSettings.runner(dataDir, "intruder", List.of());
        node =
                HostDatabases.open(
                        lifecycle, HostDatabases.runnerDatabase(alone), alone, HostKind.RUNNER);
        HubSession session =
                new HubSession(
                        node.host(),
                        HubUrl.of(hub.url, false),
                        Optional.of(TestSettings.ACCESS_KEY),
                        Consents.USUAL,
                        client,
                        InstantSource.system());
        socket =
                client.newWebSocketBuilder()
                        .header("Authorization", "Bearer " + session.token().text())
                        .buildAsync(session.url().link(), this)
                        .join();
    }

    String id() {
        return node.host().id().value();
    }

    void say(String text) {
        socket.sendText(text, true).join();
    }

    void say(byte[] bytes) {
        socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
    }

    /** Opens as the protocol wants it, up to the first request. */
    String connect() throws InterruptedException {
        String catchUp =
                """
                {"type":"catch_up","host_id":"%s","schema_version":1,"protocol":[1,1],"lastSyncedFromHub":"0","hub_head":"0"}"""
                        .formatted(id());
        say(catchUp);
        String answer = next();
        while (answer.contains("\"has_more\":true")) {
            say(catchUp);
            answer = next();
        }
        return next();
    }

    String next() throws InterruptedException {
        return Optional.ofNullable(heard.poll(20, TimeUnit.SECONDS)).orElse("nothing");
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
        part.append(text);
        if (last) {
            heard.add(part.toString());
            part.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer bytes, boolean last) {
        if (last) {
            heard.add("a long message");
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        heard.add("closed " + reason);
        return null;
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
        lifecycle.close();
    }
}
