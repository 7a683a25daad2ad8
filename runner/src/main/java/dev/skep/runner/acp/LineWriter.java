package dev.skep.runner.acp;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines to an agent that may not read them. Nobody who sends ever waits: lines queue up to a
 * bound, and a virtual thread that exists while there is work writes them. Thread-safe.
 */
final class LineWriter {
    /** So that slow reading is told from none. */
    private static final int PIECE = 64 << 10;

    private final OutputStream out;
    private final long mostWaiting;
    private final Duration unread;
    private final Consumer<String> onFailure;
    private final Deque<byte[]> queue = new ArrayDeque<>();
    private long waiting;
    private boolean working;
    private boolean closed;

    /**
     * Writes nothing yet.
     *
     * @param onFailure receives the reason, once or more, after which nothing should be sent
     */
    LineWriter(OutputStream out, long mostWaiting, Duration unread, Consumer<String> onFailure) {
        this.out = out;
        this.mostWaiting = mostWaiting;
        this.unread = unread;
        this.onFailure = onFailure;
    }

    /** Queues a line that has its end. */
    void send(byte[] line) {
        if (!queued(line)) {
            onFailure.accept(
                    "the agent does not read: more than %,d bytes wait for it"
                            .formatted(mostWaiting));
        }
    }

    private synchronized boolean queued(byte[] line) {
        if (closed) {
            return true;
        }
        if (waiting > 0 && waiting + line.length > mostWaiting) {
            return false;
        }
        queue.add(line);
        waiting += line.length;
        if (!working) {
            working = true;
            Thread.ofVirtual().name("acp-writer").start(this::work);
        }
        return true;
    }

    /** Drops what waits and takes nothing more. */
    synchronized void close() {
        closed = true;
        queue.clear();
    }

    private void work() {
        byte[] written = null;
        for (byte[] line = next(written); line != null; line = next(written)) {
            try {
                write(line);
            } catch (IOException e) {
                onFailure.accept("the agent takes no more input: " + e.getMessage());
                return;
            }
            written = line;
        }
    }

    private synchronized byte @Nullable [] next(byte @Nullable [] written) {
        waiting -= written == null ? 0 : written.length;
        byte[] line = queue.poll();
        working = line != null;
        return line;
    }

    private void write(byte[] line) throws IOException {
        for (int from = 0; from < line.length; from += PIECE) {
            CompletableFuture<Void> taken =
                    new CompletableFuture<Void>()
                            .orTimeout(unread.toMillis(), TimeUnit.MILLISECONDS);
            var watched =
                    taken.whenComplete(
                            (_, late) -> {
                                if (late != null) {
                                    onFailure.accept(
                                            "the agent does not read: nothing for "
                                                    + PendingCalls.seconds(unread));
                                }
                            });
            out.write(line, from, Math.min(PIECE, line.length - from));
            out.flush();
            taken.complete(null);
            watched.join();
        }
    }
}
