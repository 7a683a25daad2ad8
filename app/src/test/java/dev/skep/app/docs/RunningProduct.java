package dev.skep.app.docs;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.Setting;
import dev.skep.cli.config.SettingSources;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** All of the product in this process, with no agents. */
final class RunningProduct implements AutoCloseable {
    private final Lifecycle lifecycle = new Lifecycle();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Assembly.Opened opened;

    RunningProduct(Path folder) throws IOException {
        Path dataDir = folder.resolve("data");
        Files.createDirectories(dataDir.resolve("agents"));
        var flags =
                Map.of(
                        Setting.DATA_DIR, dataDir.toString(),
                        Setting.LISTEN, "127.0.0.1:0",
                        Setting.REGISTRY_PORT, "0");
        Configuration configuration =
                Configuration.read(
                        new SettingSources(flags, Map.of(), folder, folder), () -> "machine");
        opened =
                new Assembly(configuration, lifecycle, folder, "test")
                        .open(Composition.UP, Terminal.none());
    }

    String get(String path) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create(opened.url() + path)).build(),
                        BodyHandlers.ofString())
                .body();
    }

    /** Figures of what never happened are not shown. */
    void useEverythingOnce() throws Exception {
        get("/healthz");
        var answered = new CompletableFuture<String>();
        WebSocket socket =
                client.newWebSocketBuilder()
                        .buildAsync(URI.create(registry()), new Answers(answered))
                        .get();
        socket.sendText("{\"id\":\"1\",\"method\":\"ping\"}", true).get();
        answered.get();
        socket.abort();
    }

    private String registry() {
        return opened.lines().stream()
                .filter(line -> line.startsWith("nodes register at "))
                .map(line -> line.replaceFirst(".* ", ""))
                .findFirst()
                .orElseThrow();
    }

    private record Answers(CompletableFuture<String> first) implements WebSocket.Listener {
        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket socket, CharSequence text, boolean last) {
            if (text.toString().contains("healthy")) {
                first.complete(text.toString());
            }
            socket.request(1);
            return null;
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        lifecycle.close();
    }
}
