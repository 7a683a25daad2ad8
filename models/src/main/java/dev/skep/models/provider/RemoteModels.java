package dev.skep.models.provider;

import dev.skep.models.Model;
import dev.skep.models.ModelCard;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Opens models behind HTTP addresses; they share its connections. Thread-safe. */
public final class RemoteModels implements AutoCloseable {
    private static final Duration CONNECTING = Duration.ofSeconds(10);

    private final InstantSource clock;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http =
            HttpClient.newBuilder()
                    .connectTimeout(CONNECTING)
                    .executor(threads)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();

    public RemoteModels(InstantSource clock) {
        this.clock = clock;
    }

    public Model open(ModelCard card, ModelEndpoint endpoint) {
        return new RemoteModel(card, endpoint, http, clock);
    }

    /** Breaks off calls that are under way. */
    @Override
    public void close() {
        http.shutdownNow();
        threads.shutdownNow();
    }
}
