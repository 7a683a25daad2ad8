package dev.skep.models.gateway;

import dev.skep.transport.loopback.LoopbackExchange;
import dev.skep.transport.loopback.LoopbackServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Bounds the memory of all bodies that are under way at once. Thread-safe. */
final class BodyMemoryLimiter {
    private static final int UNIT = 1 << 10;
    private static final int ALL = 160 << 10;

    private final Semaphore units = new Semaphore(ALL, true);

    /** A whole body, which gives its room back when it is closed. */
    final class Kept implements AutoCloseable {
        private final byte[] body;
        private final int held;

        private Kept(byte[] body, int held) {
            this.body = body;
            this.held = held;
        }

        byte[] body() {
            return body;
        }

        @Override
        public void close() {
            units.release(held);
        }
    }

    Kept read(LoopbackExchange exchange) throws IOException {
        int most = units(exchange.header("content-length"));
        try {
            units.acquire(most);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("cancelled");
        }
        boolean read = false;
        try {
            byte[] body = exchange.body().readAllBytes();
            int held = Math.min(most, body.length / UNIT + 1);
            units.release(most - held);
            read = true;
            return new Kept(body, held);
        } finally {
            if (!read) {
                units.release(most);
            }
        }
    }

    private static int units(Optional<String> length) {
        long bytes =
                length.map(Long::parseLong)
                        .filter(said -> said < LoopbackServer.LONGEST_BODY)
                        .orElse(LoopbackServer.LONGEST_BODY);
        return (int) (bytes / UNIT) + 1;
    }
}
