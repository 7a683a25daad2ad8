package dev.skep.transport.link;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.transport.client.CertificateAuthorities;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one link to one hub: dials, waits until the link is gone, pauses, dials again. One virtual
 * thread from {@link #start} to {@link #close}.
 */
public final class LinkDialer implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(LinkDialer.class);
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);

    /** A link that lived this long was good: the next failure starts with short pauses again. */
    private static final Duration GOOD = Duration.ofSeconds(5);

    private final HttpClient client;
    private final HubAddress address;
    private final LinkProtocols<String> linkProtocols;
    private final InstantSource clock;
    private final ReconnectBackoff backoff;
    private final Duration pingEvery;
    private volatile Status status;
    private volatile @Nullable DialledLink link;
    private volatile boolean closing;
    private volatile Runnable statusMoved = () -> {};
    private String told = "";
    private @Nullable Thread thread;

    /**
     * How things stand with the hub.
     *
     * @param problem what the last try ended with, for people; empty while connected
     */
    public record Status(String hub, boolean connected, Instant since, String problem) {}

    public LinkDialer(
            HttpClient client,
            HubAddress address,
            LinkProtocols<String> linkProtocols,
            InstantSource clock,
            RandomGenerator random) {
        this(client, address, linkProtocols, clock, random, DialledLink.PING_EVERY);
    }

    LinkDialer(
            HttpClient client,
            HubAddress address,
            LinkProtocols<String> linkProtocols,
            InstantSource clock,
            RandomGenerator random,
            Duration pingEvery) {
        this.client = client;
        this.address = address;
        this.linkProtocols = linkProtocols;
        this.clock = clock;
        this.backoff = new ReconnectBackoff(random);
        this.pingEvery = pingEvery;
        this.status = new Status(address.name(), false, clock.instant(), "not tried yet");
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
                    Thread.sleep(backoff.next());
                }
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /** Dials and stays until the link is gone; tells why it is not there. */
    private String liveOnce() throws InterruptedException {
        try {
            HubAddress.Ticket ticket = address.ticket();
            DialledLink dialled = new DialledLink(linkProtocols, ticket.hub(), pingEvery);
            CompletableFuture<WebSocket> dialling =
                    client.newWebSocketBuilder()
                            .connectTimeout(CONNECT_PATIENCE)
                            .header("Authorization", "Bearer " + ticket.bearer())
                            .buildAsync(address.link(), dialled);
            try {
                dialling.get(2 * CONNECT_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException | TimeoutException e) {
                // A socket that still comes belongs to nobody any more.
                var _ = dialling.thenAccept(WebSocket::abort);
                throw e;
            }
            return stay(dialled);
        } catch (SkepException refused) {
            return refused.code().code() + ": " + refused.getMessage();
        } catch (ExecutionException e) {
            return refusal(e.getCause());
        } catch (TimeoutException e) {
            return "the hub does not answer";
        }
    }

    private String stay(DialledLink dialled) throws InterruptedException {
        link = dialled;
        if (closing) {
            dialled.leave("the runner is shutting down");
        }
        become(new Status(address.name(), true, clock.instant(), ""));
        if (told.isEmpty()) {
            LOG.info("link opened hub={}", address.name());
        }
        long opened = System.nanoTime();
        try {
            while (true) {
                dialled.awaitEvent(GOOD);
                if (System.nanoTime() - opened >= GOOD.toNanos()) {
                    settled();
                }
                String reason = dialled.ended();
                if (reason != null) {
                    return reason;
                }
                dialled.keepAlive();
            }
        } finally {
            link = null;
        }
    }

    private void settled() {
        backoff.reset();
        if (!told.isEmpty()) {
            told = "";
            LOG.info("link opened hub={}", address.name());
        }
    }

    /** Logs a reason once, until a link was good: a hub that refuses lets us in each time first. */
    private void failed(String why) {
        Status before = status;
        if (!told.equals(why)) {
            told = why;
            LOG.warn("no link hub={} reason={}", address.name(), why);
        }
        become(
                new Status(
                        address.name(),
                        false,
                        before.connected ? clock.instant() : before.since,
                        why));
    }

    private static String refusal(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException e ? e.getCause() : failure;
        if (cause instanceof WebSocketHandshakeException refused) {
            return "the hub refuses with status " + refused.getResponse().statusCode();
        }
        if (cause instanceof SSLException) {
            return CertificateAuthorities.refused(cause);
        }
        return "cannot reach the hub: "
                + (cause == null ? "unknown" : cause.getClass().getSimpleName());
    }

    @Override
    public void close() {
        closing = true;
        Thread running = thread;
        DialledLink current = link;
        try {
            if (current != null) {
                current.leave("the runner is shutting down");
                if (running != null) {
                    running.join(Duration.ofSeconds(3));
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
