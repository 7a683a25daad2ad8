package dev.skep.transport.link;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.retry.Backoff;
import dev.skep.transport.client.CertificateAuthorities;
import dev.skep.transport.socket.SocketDialer;
import dev.skep.transport.socket.SocketLimits;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.websocket.api.exceptions.UpgradeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one link to one hub: dials, waits until the link is gone, pauses, dials again. One virtual
 * thread from {@link #start} to {@link #close}.
 */
public final class LinkDialer implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(LinkDialer.class);

    /** How long a hub may take to open a socket. */
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);

    /** For one part of a frame: a slow line is not a dead one. */
    private static final Duration WRITE_PATIENCE = Duration.ofSeconds(60);

    /** As for the hub, whose question is usually enough for both; a runner has few links. */
    static final SocketLimits LIMITS =
            new SocketLimits(
                    LinkServer.LIMITS.message(),
                    LinkServer.LIMITS.outgoing(),
                    WRITE_PATIENCE,
                    LinkServer.LIMITS.pingEvery(),
                    false,
                    32 << 10);

    private static final Duration GOODBYE_PATIENCE = Duration.ofSeconds(3);
    private static final String SHUTTING_DOWN = "the runner is shutting down";

    /** Hosts of a hub that restarts do not all come back at once. */
    private static final Backoff BACKOFF =
            Backoff.half(Duration.ofMillis(200), Duration.ofMillis(25_600));

    /** A link that lived this long was good: the next failure starts with short pauses again. */
    private static final Duration GOOD = Duration.ofSeconds(5);

    private final SocketDialer sockets;
    private final HubAddress address;
    private final LinkProtocols<String> linkProtocols;
    private final InstantSource clock;
    private final RandomGenerator random;
    private volatile Status status;
    private volatile @Nullable LinkConnection<String> connection;
    private volatile boolean closing;
    private volatile Runnable statusMoved = () -> {};
    private int failures;
    private String loggedReason = "";
    private @Nullable Thread thread;

    /**
     * How things stand with the hub.
     *
     * @param problem what the last try ended with, for people; empty while connected
     */
    public record Status(String hub, boolean connected, Instant since, String problem) {}

    /** Dials with sockets of {@link #sockets}, which any number of links may share. */
    public LinkDialer(
            SocketDialer sockets,
            HubAddress address,
            LinkProtocols<String> linkProtocols,
            InstantSource clock,
            RandomGenerator random) {
        this.sockets = sockets;
        this.address = address;
        this.linkProtocols = linkProtocols;
        this.clock = clock;
        this.random = random;
        this.status = new Status(address.name(), false, clock.instant(), "not tried yet");
    }

    /** Makes the sockets of links; to be started before, and closed after, the links. */
    public static SocketDialer sockets() {
        return new SocketDialer(LIMITS, CONNECT_PATIENCE);
    }

    /** Runs the listener when the status has changed. It must not block. */
    public void onStatus(Runnable listener) {
        statusMoved = listener;
    }

    private void become(Status next) {
        status = next;
        statusMoved.run();
    }

    public Status status() {
        return status;
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("link to " + address.name()).start(this::keepLinked);
    }

    private void keepLinked() {
        try {
            while (!closing) {
                String ended = liveOnce();
                if (!closing) {
                    failed(ended);
                    failures++;
                    Thread.sleep(BACKOFF.after(failures, random));
                }
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /** Dials and stays until the link is gone; returns why it ended. */
    private String liveOnce() throws InterruptedException {
        try {
            HubAddress.Ticket ticket = address.ticket();
            Ending ending = new Ending();
            LinkConnection<String> dialled =
                    LinkConnection.dialled(linkProtocols, ticket.hub(), ending);
            sockets.open(
                    address.link(), Map.of("Authorization", "Bearer " + ticket.bearer()), dialled);
            return stay(dialled, ending);
        } catch (SkepException refused) {
            return refused.code().code() + ": " + refused.getMessage();
        } catch (IOException e) {
            return refusal(e);
        }
    }

    /** Learns at once that the connection ended. */
    private static final class Ending implements LinkConnection.Owner {
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile String reason = "";

        @Override
        public void opened() {
            // the protocols know by themselves
        }

        @Override
        public void closed(int code, String why) {
            reason = why;
            ended.countDown();
        }
    }

    private String stay(LinkConnection<String> dialled, Ending ending) throws InterruptedException {
        connection = dialled;
        if (closing) {
            dialled.close(SHUTTING_DOWN);
        }
        become(new Status(address.name(), true, clock.instant(), ""));
        if (loggedReason.isEmpty()) {
            LOG.info("link opened hub={}", address.name());
        }
        try {
            if (!ending.ended.await(GOOD.toMillis(), TimeUnit.MILLISECONDS)) {
                settled();
                ending.ended.await();
            }
            return ending.reason;
        } finally {
            connection = null;
            dialled.drop(SHUTTING_DOWN);
        }
    }

    private void settled() {
        failures = 0;
        if (!loggedReason.isEmpty()) {
            loggedReason = "";
            LOG.info("link opened hub={}", address.name());
        }
    }

    /**
     * Logs a reason once, until a link was good: a hub that refuses still accepts the connection
     * first.
     */
    private void failed(String why) {
        Status before = status;
        if (!loggedReason.equals(why)) {
            loggedReason = why;
            LOG.warn("no link hub={} reason={}", address.name(), why);
        }
        become(
                new Status(
                        address.name(),
                        false,
                        before.connected ? clock.instant() : before.since,
                        why));
    }

    private static String refusal(IOException failure) {
        Throwable last = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UpgradeException refused && refused.getResponseStatusCode() > 0) {
                return "the hub refuses with status " + refused.getResponseStatusCode();
            }
            if (cause instanceof SSLException) {
                return CertificateAuthorities.refused(cause);
            }
            if (cause instanceof TimeoutException || cause instanceof SocketTimeoutException) {
                return "the hub does not answer";
            }
            last = cause;
        }
        return "cannot reach the hub: " + last.getClass().getSimpleName();
    }

    @Override
    public void close() {
        closing = true;
        Thread running = thread;
        LinkConnection<String> current = connection;
        try {
            if (current != null) {
                current.close(SHUTTING_DOWN);
                if (running != null) {
                    running.join(GOODBYE_PATIENCE);
                }
            }
            if (running != null) {
                running.interrupt();
                running.join(Duration.ofSeconds(1));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
