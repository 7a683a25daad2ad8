package dev.skep.transport.link;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.socket.SocketAcceptor;
import dev.skep.transport.socket.SocketLimits;
import dev.skep.transport.socket.SocketRequest;
import dev.skep.wire.WireLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A hub's end of all its links: the sockets at {@link #PATH}. Thread-safe. */
public final class LinkServer implements SocketAcceptor {
    public static final String PATH = "/link";

    /**
     * A little on the way, so that urgent frames overtake the rest; a page always fits. A host that
     * is gone without a word is known to be within 15 seconds.
     */
    public static final SocketLimits LIMITS =
            new SocketLimits(WireLimits.MESSAGE, 64 << 10, Duration.ofSeconds(4), 8 << 10);

    private static final Logger LOG = LoggerFactory.getLogger(LinkServer.class);

    private static final Duration GOODBYE_PATIENCE = Duration.ofSeconds(1);

    private final LinkAcceptor linkAcceptor;
    private final LinkProtocols<Principal.Host> linkProtocols;
    private final Set<Accepted> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    public LinkServer(LinkAcceptor linkAcceptor, LinkProtocols<Principal.Host> linkProtocols) {
        this.linkAcceptor = linkAcceptor;
        this.linkProtocols = linkProtocols;
    }

    @Override
    public AdmissionResult enter(SocketRequest request) {
        if (closing) {
            return new AdmissionResult.Refused(503, "the hub is shutting down");
        }
        Credentials credentials =
                new Credentials(request.bearer(), Optional.empty(), request.from(), false);
        try {
            LinkAcceptor.Admission admission = linkAcceptor.admit(credentials);
            return new AdmissionResult.Admitted(() -> new Accepted(admission).connection);
        } catch (SkepException refused) {
            return new AdmissionResult.Refused(refused.code().httpStatus(), refused.code().code());
        }
    }

    public int count() {
        return open.size();
    }

    /** Closes the link of a host, if it has one here. */
    public void close(HostId host, String reason) {
        for (Accepted link : open) {
            if (link.admission.host().id().equals(host)) {
                link.close(reason);
            }
        }
    }

    /** Closes links whose hosts do not count any more, as another process may have decided. */
    public void closeRevokedHosts() {
        for (Accepted link : open) {
            if (!link.admission.counts()) {
                link.close("this host was revoked");
            }
        }
    }

    /** Closes the links to all hosts and waits briefly for their close frames. */
    public void closeAll() {
        closing = true;
        open.forEach(link -> link.close("the hub is shutting down"));
        long end = System.nanoTime() + GOODBYE_PATIENCE.toNanos();
        try {
            synchronized (open) {
                for (long left = GOODBYE_PATIENCE.toNanos();
                        left > 0 && !open.isEmpty();
                        left = end - System.nanoTime()) {
                    TimeUnit.NANOSECONDS.timedWait(open, left);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One link of a host. */
    private final class Accepted implements LinkConnection.Owner {
        private final LinkAcceptor.Admission admission;
        private final LinkConnection<Principal.Host> connection;
        private volatile LinkAcceptor.@Nullable Lease lease;

        Accepted(LinkAcceptor.Admission admission) {
            this.admission = admission;
            Principal.Host host = admission.host();
            this.connection = LinkConnection.accepted(linkProtocols, host, host.id().value(), this);
        }

        @Override
        public void opened() {
            lease = admission.claim(() -> close("another link of this host took its place"));
            open.add(this);
            LOG.info("link opened host={}", admission.host().id());
        }

        @Override
        public void closed(int code, String reason) {
            LinkAcceptor.Lease held = lease;
            if (held == null) {
                return;
            }
            synchronized (open) {
                open.remove(this);
                open.notifyAll();
            }
            held.end(reason);
            LOG.info("link closed host={} code={} reason={}", admission.host().id(), code, reason);
        }

        void close(String reason) {
            connection.hangUp(reason);
        }
    }
}
