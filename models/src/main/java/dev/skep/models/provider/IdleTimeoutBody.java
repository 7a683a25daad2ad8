package dev.skep.models.provider;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A response body that gives up when nothing arrives for too long: the JDK's own limit ends with
 * the headers. Closing it, or interrupting the reader, closes the connection. Read by one thread.
 */
public final class IdleTimeoutBody extends InputStream
        implements HttpResponse.BodySubscriber<InputStream> {

    /** Nothing arrived for longer than allowed. */
    static final class Stalled extends IOException {
        private static final long serialVersionUID = 1L;

        private final String words;

        Stalled(Duration idle) {
            this.words = "nothing arrived for %d s".formatted(idle.toSeconds());
        }

        String words() {
            return words;
        }
    }

    private sealed interface Arrival {
        record Bytes(List<ByteBuffer> buffers) implements Arrival {}

        record End(@Nullable Throwable failure) implements Arrival {}
    }

    private final Duration idle;
    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
    private volatile Flow.@Nullable Subscription subscription;
    private List<ByteBuffer> current = List.of();
    private Arrival.@Nullable End end;

    public IdleTimeoutBody(Duration idle) {
        this.idle = idle;
    }

    @Override
    public CompletionStage<InputStream> getBody() {
        return CompletableFuture.completedStage(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription made) {
        subscription = made;
        made.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        arrivals.add(new Arrival.Bytes(buffers));
    }

    @Override
    public void onError(Throwable failure) {
        arrivals.add(new Arrival.End(failure));
    }

    @Override
    public void onComplete() {
        arrivals.add(new Arrival.End(null));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        while (length > 0) {
            for (ByteBuffer buffer : current) {
                if (buffer.hasRemaining()) {
                    int step = Math.min(length, buffer.remaining());
                    buffer.get(bytes, from, step);
                    return step;
                }
            }
            if (!refill()) {
                return -1;
            }
        }
        return 0;
    }

    private boolean refill() throws IOException {
        if (end == null) {
            switch (next()) {
                case Arrival.Bytes(List<ByteBuffer> buffers) -> {
                    current = buffers;
                    Flow.Subscription source = subscription;
                    if (source != null) {
                        source.request(1);
                    }
                    return true;
                }
                case Arrival.End ended -> end = ended;
            }
        }
        if (end.failure() != null) {
            throw new IOException("the connection broke", end.failure());
        }
        return false;
    }

    private Arrival next() throws IOException {
        try {
            Arrival arrival = arrivals.poll(idle.toNanos(), TimeUnit.NANOSECONDS);
            if (arrival == null) {
                close();
                throw new Stalled(idle);
            }
            return arrival;
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("cancelled");
        }
    }

    @Override
    public void close() {
        Flow.Subscription source = subscription;
        if (source != null) {
            source.cancel();
        }
    }
}
