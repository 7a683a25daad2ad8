package dev.skep.transport.link;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.socket.SocketAcceptor;
import dev.skep.transport.socket.SocketHandler;
import dev.skep.transport.socket.SocketLimits;
import dev.skep.transport.socket.SocketRequest;
import dev.skep.transport.socket.SocketSender;
import dev.skep.wire.Frame;
import dev.skep.wire.Message.SyncError;
import dev.skep.wire.WireLimits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
            return new AdmissionResult.Admitted(() -> new Accepted(admission));
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

    /** Says goodbye to every host and waits a little for theirs. */
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

    /** The socket of one link. */
    private final class Accepted implements SocketHandler, FrameSink {
        private static final int NORMAL = 1000;
        private static final int AWAY = 1001;
        private static final int BROKEN = 1006;
        private static final int POLICY = 1008;

        private final LinkAcceptor.Admission admission;
        private volatile LinkAcceptor.@Nullable Lease lease;
        private volatile @Nullable SocketSender socketSender;
        private volatile @Nullable LinkConnection<Principal.Host> linkConnection;

        Accepted(LinkAcceptor.Admission admission) {
            this.admission = admission;
        }

        @Override
        public void opened(SocketSender opened) {
            socketSender = opened;
            try {
                lease = admission.claim(() -> close("another link of this host took its place"));
            } catch (SkepException refused) {
                opened.close(POLICY, refused.code().code());
                return;
            }
            Principal.Host host = admission.host();
            linkConnection = new LinkConnection<>(this, linkProtocols, host, host.id().value());
            open.add(this);
            LOG.info("link opened host={}", host.id());
        }

        @Override
        public void text(String message) throws InterruptedException {
            received(new Frame(false, message.getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void binary(ByteBuffer message) throws InterruptedException {
            byte[] bytes = new byte[message.remaining()];
            message.get(bytes);
            received(new Frame(true, bytes));
        }

        private void received(Frame frame) throws InterruptedException {
            LinkConnection<Principal.Host> current = linkConnection;
            if (current != null) {
                current.received(frame);
            }
        }

        @Override
        public void part() {
            LinkConnection<Principal.Host> current = linkConnection;
            if (current != null) {
                current.progressed();
            }
        }

        @Override
        public void pinged() {
            // answered already; that the socket lives is all there is to it
        }

        @Override
        public void tooLarge(SocketSender opened, int limit) {
            if (linkConnection != null) {
                linkConnection.refuse(
                        SyncError.FRAME_TOO_LARGE,
                        "a frame may have %,d bytes; send less at once".formatted(limit));
            }
        }

        @Override
        public void closed(int code, String reason) {
            synchronized (open) {
                open.remove(this);
                open.notifyAll();
            }
            if (lease != null) {
                lease.end(code == BROKEN || reason.isBlank() ? words(code) : reason);
            }
            if (linkConnection != null) {
                linkConnection.closed(reason);
                LOG.info(
                        "link closed host={} code={} reason={}",
                        admission.host().id(),
                        code,
                        reason);
            }
        }

        /** What a close means that nobody gave words to. */
        private static String words(int code) {
            return switch (code) {
                case NORMAL -> "the host closed it";
                case AWAY -> "the host went away";
                case BROKEN -> "the connection broke";
                default -> "it was closed with code " + code;
            };
        }

        @Override
        public boolean write(Frame frame, Runnable unsent) throws InterruptedException {
            SocketSender out = socketSender;
            if (out == null) {
                return false;
            }
            return frame.binary()
                    ? out.send(ByteBuffer.wrap(frame.bytes()))
                    : out.send(new String(frame.bytes(), StandardCharsets.UTF_8), unsent);
        }

        @Override
        public void close(String reason) {
            if (socketSender != null) {
                socketSender.close(NORMAL, reason);
            }
        }

        @Override
        public void cut() {
            if (socketSender != null) {
                socketSender.cut();
            }
        }
    }
}
