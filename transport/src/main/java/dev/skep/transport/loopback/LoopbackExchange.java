package dev.skep.transport.loopback;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One request and its answer. Used by one thread, except for what {@link #onGone} runs. */
public interface LoopbackExchange {
    String method();

    /** The whole path as it was sent, without the query. */
    String path();

    @Nullable String query();

    /** The first value of a header, whose name counts in any case. */
    Optional<String> header(String name);

    /** Fails when it is longer than the server allows, see {@link BodyTooLongException}. */
    InputStream body();

    /**
     * Begins the answer. It is chunked unless the headers say a {@code content-length}; each write
     * with a flush goes out at once. Ended by the return of the handler.
     */
    OutputStream respond(int status, Map<String, String> headers) throws IOException;

    /**
     * Runs once when the client goes away, or the server closes, before the handler has returned;
     * at once if that is so already. It is run on another thread and must not block. The body has
     * to be read to its end before.
     */
    void onGone(Runnable then);
}
