package dev.skep.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A line to a port of this machine that can be slow, one-way, dead or cut, and right again. The
 * near end is the dialler, the far end is the port.
 */
public final class Relay implements AutoCloseable {
    private static final int CHUNK = 2_048;
    private static final int QUEUED = 64;
    private static final long NEVER = Long.MAX_VALUE;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final ServerSocket server;
    private final int target;
    private final Set<Line> lines = ConcurrentHashMap.newKeySet();
    private volatile Weather weather = Weather.FINE;

    /** How the line is; what it does to bytes is decided when they leave it. */
    private record Weather(
            Duration delay,
            long bytesPerSecond,
            boolean stalledTowardsFar,
            boolean stalledTowardsNear,
            boolean drops,
            boolean refuses) {
        static final Weather FINE = new Weather(Duration.ZERO, NEVER, false, false, false, false);
    }

    public Relay(int target) {
        this.target = target;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.startVirtualThread(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** Ends whatever ailed it; a connection that was open while things were lost stays dead. */
    public void recover() {
        weather = Weather.FINE;
    }

    /** Every byte takes so long, however many there are. */
    public void delay(Duration by) {
        weather = new Weather(by, NEVER, false, false, false, false);
    }

    public void throttle(long bytesPerSecond) {
        weather = new Weather(Duration.ZERO, bytesPerSecond, false, false, false, false);
    }

    /** Holds what goes one way back; the other way works. */
    public void stall(boolean towardsFar) {
        weather = new Weather(Duration.ZERO, NEVER, towardsFar, !towardsFar, false, false);
    }

    /** Loses everything without a word, on open connections and on new ones, which are taken. */
    public void drop() {
        weather = new Weather(Duration.ZERO, NEVER, false, false, true, false);
        lines.forEach(line -> line.dead = true);
    }

    /** Ends all connections, and new ones at once. */
    public void sever() {
        weather = new Weather(Duration.ZERO, NEVER, false, false, false, true);
        cut();
    }

    /** Ends all connections; who dials again gets through. */
    public void cut() {
        lines.forEach(Line::cut);
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                Thread.startVirtualThread(() -> take(near));
            }
        } catch (IOException closed) {
            // and no connection gets through any more
        }
    }

    private void take(Socket near) {
        Line line = new Line(near);
        lines.add(line);
        try {
            if (weather.refuses()) {
                line.cut();
            } else if (weather.drops()) {
                line.dead = true;
                line.swallow(near);
            } else {
                line.reach(new Socket(InetAddress.getLoopbackAddress(), target));
            }
        } catch (IOException nobodyThere) {
            line.cut();
        }
    }

    /** One connection through the relay. */
    private final class Line {
        private final Socket near;
        private volatile Socket far;
        private volatile boolean dead;
        private volatile boolean over;
        private final AtomicInteger ended = new AtomicInteger();

        /** Bytes on their way, and when they may arrive; none is the end of the stream. */
        @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
        private record Chunk(long due, byte[] bytes) {}

        Line(Socket near) {
            this.near = near;
            this.far = near;
        }

        void reach(Socket target) {
            far = target;
            if (over) {
                cut();
                return;
            }
            carry(near, target, true);
            carry(target, near, false);
        }

        private void carry(Socket from, Socket to, boolean towardsFar) {
            BlockingQueue<Chunk> queue = new ArrayBlockingQueue<>(QUEUED);
            Thread.startVirtualThread(() -> read(from, queue));
            Thread.startVirtualThread(() -> write(queue, to, towardsFar));
        }

        private void read(Socket from, BlockingQueue<Chunk> queue) {
            byte[] bytes = new byte[CHUNK];
            try {
                InputStream in = from.getInputStream();
                for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                    if (!dead) {
                        long due = System.nanoTime() + weather.delay().toNanos();
                        put(queue, new Chunk(due, Arrays.copyOf(bytes, n)));
                    }
                }
                put(queue, new Chunk(System.nanoTime() + weather.delay().toNanos(), new byte[0]));
            } catch (IOException closed) {
                if (!dead) {
                    cut();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void put(BlockingQueue<Chunk> queue, Chunk chunk) throws InterruptedException {
            while (!over && !queue.offer(chunk, 1, TimeUnit.SECONDS)) {
                // the other end is slow
            }
        }

        private void write(BlockingQueue<Chunk> queue, Socket to, boolean towardsFar) {
            try {
                while (!over) {
                    Chunk chunk = queue.poll(1, TimeUnit.SECONDS);
                    if (chunk == null) {
                        continue;
                    }
                    awaitPassage(chunk, towardsFar);
                    if (over || dead) {
                        continue;
                    }
                    if (chunk.bytes().length == 0) {
                        end(to);
                        return;
                    } else {
                        to.getOutputStream().write(chunk.bytes());
                        pay(chunk.bytes().length);
                    }
                }
            } catch (IOException closed) {
                if (!dead) {
                    cut();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** One side has said its last word; the line is over when both have. */
        private void end(Socket to) throws IOException {
            to.shutdownOutput();
            if (ended.incrementAndGet() == 2) {
                over = true;
                lines.remove(this);
                near.close();
                far.close();
            }
        }

        private void awaitPassage(Chunk chunk, boolean towardsFar) {
            for (long left = chunk.due() - System.nanoTime();
                    left > 0 && !over;
                    left = chunk.due() - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            while (!over && !dead && isStalled(towardsFar)) {
                LockSupport.parkNanos(LOOK_AGAIN.toNanos());
            }
        }

        private boolean isStalled(boolean towardsFar) {
            Weather now = weather;
            return towardsFar ? now.stalledTowardsFar() : now.stalledTowardsNear();
        }

        /** Waits as long as so many bytes take. */
        private void pay(int bytes) {
            long end = System.nanoTime();
            long rate = weather.bytesPerSecond();
            if (rate != NEVER) {
                end += bytes * 1_000_000_000L / rate;
            }
            while (!over && weather.bytesPerSecond() == rate && System.nanoTime() < end) {
                LockSupport.parkNanos(Math.min(end - System.nanoTime(), LOOK_AGAIN.toNanos()));
            }
        }

        /** Reads and discards. */
        void swallow(Socket from) throws IOException {
            InputStream in = from.getInputStream();
            byte[] lost = new byte[CHUNK];
            while (in.read(lost) >= 0) {
                // and is silent
            }
            cut();
        }

        void cut() {
            over = true;
            lines.remove(this);
            for (Socket end : Set.copyOf(Arrays.asList(near, far))) {
                try {
                    // Without a goodbye.
                    end.setSoLinger(true, 0);
                } catch (SocketException gone) {
                    // which is what was wanted
                }
                try {
                    end.close();
                } catch (IOException gone) {
                    // the same
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
