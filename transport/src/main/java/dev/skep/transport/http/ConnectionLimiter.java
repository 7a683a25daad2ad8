package dev.skep.transport.http;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Limits the open connections of a listener. If there are too many, the least useful are closed
 * first: the oldest idle ones that have not authenticated. Slow ones are closed when their time is
 * over. Thread-safe.
 */
final class ConnectionLimiter implements HttpConfiguration.Customizer {
    private static final String HELD = "skep.connection";

    /** How long a new connection may take until its first request arrives. */
    private static final long FRESH = Duration.ofSeconds(1).toNanos();

    private final ConnectionLimits limits;
    private final TrustedProxies trusted;
    private final LongSupplier nanoTime;
    private final Map<EndPoint, TrackedConnection> open = new ConcurrentHashMap<>();
    private final Map<String, ConnectionsByState> byAddress = new HashMap<>();
    private final ConnectionsByState everybody = new ConnectionsByState();

    ConnectionLimiter(ConnectionLimits limits, TrustedProxies trusted, LongSupplier nanoTime) {
        this.limits = limits;
        this.trusted = trusted;
        this.nanoTime = nanoTime;
    }

    /** What a connection is up to; those that go first stand first. */
    private enum State {
        /** A stranger without a request, before its first or after its last. */
        WAITING,
        /** A stranger whose request is not answered yet. */
        ASKING,
        /** Its client is authenticated and has no request running. */
        RESTING,
        /** Its client is authenticated and is being served; never closed to make room. */
        SERVED
    }

    /** Connections by what they are up to, each in the order in which they began with it. */
    private static final class ConnectionsByState {
        private final Map<State, Set<TrackedConnection>> members = new EnumMap<>(State.class);
        private int size;

        ConnectionsByState() {
            for (State state : State.values()) {
                members.put(state, new LinkedHashSet<>());
            }
        }

        Set<TrackedConnection> in(State state) {
            return members.getOrDefault(state, Set.of());
        }

        int strangers() {
            return in(State.WAITING).size() + in(State.ASKING).size();
        }

        /**
         * The connection to close for a newcomer: the newcomer itself if no other qualifies. A new
         * connection may be about to authenticate, so those that have been idle for longer are
         * closed before it.
         */
        TrackedConnection connectionToEvict(TrackedConnection newcomer, Predicate<State> among) {
            TrackedConnection waiting = oldest(State.WAITING, newcomer, among);
            TrackedConnection asking = oldest(State.ASKING, newcomer, among);
            if (waiting != null
                    && (asking == null
                            || newcomer.since - waiting.since > FRESH
                            || waiting.since - asking.stateSince < 0)) {
                return waiting;
            }
            TrackedConnection other =
                    asking == null ? oldest(State.RESTING, newcomer, among) : asking;
            return other == null ? newcomer : other;
        }

        private @Nullable TrackedConnection oldest(
                State state, TrackedConnection but, Predicate<State> among) {
            for (TrackedConnection trackedConnection :
                    among.test(state) ? in(state) : Set.<TrackedConnection>of()) {
                if (trackedConnection != but) {
                    return trackedConnection;
                }
            }
            return null;
        }
    }

    /** One connection. */
    final class TrackedConnection {
        private final EndPoint endPoint;
        private final String address;
        private final long since;
        private State state = State.WAITING;
        private long stateSince;
        private boolean proven;
        private boolean socket;
        private long deadline;

        TrackedConnection(EndPoint endPoint, String address, long since) {
            this.endPoint = endPoint;
            this.address = address;
            this.since = since;
            this.stateSince = since;
            this.deadline = since + limits.head().toNanos();
        }

        /** The client has authenticated on this connection. */
        void proved() {
            synchronized (ConnectionLimiter.this) {
                proven = true;
                become(state == State.ASKING ? State.SERVED : state);
            }
        }

        /** It is a socket from now on, which is pinged and has an end of its own. */
        private void upgraded() {
            synchronized (ConnectionLimiter.this) {
                proven = true;
                socket = true;
                become(State.SERVED);
            }
        }

        private void began() {
            synchronized (ConnectionLimiter.this) {
                deadline = nanoTime.getAsLong() + limits.exchange().toNanos();
                become(proven ? State.SERVED : State.ASKING);
            }
        }

        private void ended() {
            synchronized (ConnectionLimiter.this) {
                deadline = nanoTime.getAsLong() + limits.rest().toNanos();
                if (!socket) {
                    become(proven ? State.RESTING : State.WAITING);
                }
            }
        }

        private void become(State next) {
            ConnectionsByState connectionsByState = byAddress.get(address);
            if (connectionsByState == null || !everybody.in(state).remove(this)) {
                return;
            }
            connectionsByState.in(state).remove(this);
            state = next;
            stateSince = nanoTime.getAsLong();
            everybody.in(next).add(this);
            connectionsByState.in(next).add(this);
        }

        private boolean isOver(long now) {
            return state != State.SERVED && now - deadline > 0;
        }
    }

    void opened(EndPoint endPoint) {
        SocketAddress remote = endPoint.getRemoteSocketAddress();
        String peer =
                remote instanceof InetSocketAddress inet
                        ? inet.getAddress().getHostAddress()
                        : String.valueOf(remote);
        TrackedConnection newcomer =
                new TrackedConnection(endPoint, CidrBlock.counted(peer), nanoTime.getAsLong());
        Optional<TrackedConnection> leaves;
        synchronized (this) {
            open.put(endPoint, newcomer);
            ConnectionsByState connectionsByState =
                    byAddress.computeIfAbsent(newcomer.address, a -> new ConnectionsByState());
            for (ConnectionsByState each : List.of(everybody, connectionsByState)) {
                each.in(newcomer.state).add(newcomer);
                each.size++;
            }
            leaves = tooMany(newcomer, connectionsByState, trusted.has(peer));
            // Removed at once: the library reports the end later, and until then another would be
            // closed too.
            leaves.ifPresent(trackedConnection -> closed(trackedConnection.endPoint));
        }
        leaves.ifPresent(trackedConnection -> trackedConnection.endPoint.close());
    }

    private Optional<TrackedConnection> tooMany(
            TrackedConnection newcomer, ConnectionsByState connectionsByState, boolean isProxy) {
        if (!isProxy && connectionsByState.strangers() > limits.strangers()) {
            return Optional.of(
                    connectionsByState.connectionToEvict(
                            newcomer, state -> state != State.RESTING));
        }
        if (!isProxy && connectionsByState.size > limits.ofOneAddress()) {
            return Optional.of(connectionsByState.connectionToEvict(newcomer, state -> true));
        }
        return everybody.size > limits.all()
                ? Optional.of(everybody.connectionToEvict(newcomer, state -> true))
                : Optional.empty();
    }

    synchronized void closed(EndPoint endPoint) {
        TrackedConnection gone = open.remove(endPoint);
        ConnectionsByState connectionsByState = gone == null ? null : byAddress.get(gone.address);
        if (gone == null || connectionsByState == null) {
            return;
        }
        for (ConnectionsByState each : List.of(everybody, connectionsByState)) {
            each.in(gone.state).remove(gone);
            each.size--;
        }
        if (connectionsByState.size == 0) {
            byAddress.remove(gone.address);
        }
    }

    int count() {
        return open.size();
    }

    /** Closes those whose time is over; called every second. */
    void closeOverdue() {
        long now = nanoTime.getAsLong();
        List<TrackedConnection> over = new ArrayList<>();
        synchronized (this) {
            for (TrackedConnection trackedConnection : open.values()) {
                if (trackedConnection.isOver(now)) {
                    over.add(trackedConnection);
                }
            }
            over.forEach(trackedConnection -> closed(trackedConnection.endPoint));
        }
        over.forEach(trackedConnection -> trackedConnection.endPoint.close());
    }

    /** The head of a request is complete. */
    @Override
    public Request customize(Request request, HttpFields.Mutable responseHeaders) {
        TrackedConnection trackedConnection =
                open.get(raw(request.getConnectionMetaData().getConnection().getEndPoint()));
        if (trackedConnection != null) {
            trackedConnection.began();
            request.setAttribute(HELD, trackedConnection);
            Request.addCompletionListener(request, failure -> trackedConnection.ended());
        }
        return request;
    }

    /** Below TLS. */
    private static EndPoint raw(EndPoint endPoint) {
        EndPoint below = endPoint;
        while (below instanceof EndPoint.Wrapper wrapper) {
            below = wrapper.unwrap();
        }
        return below;
    }

    /** Notes that a request's caller proved who they are. */
    static void proved(HttpServletRequest request) {
        if (request.getAttribute(HELD) instanceof TrackedConnection trackedConnection) {
            trackedConnection.proved();
        }
    }

    /** Notes that a request became a socket, which only authenticated clients achieve. */
    static void upgraded(HttpServletRequest request) {
        if (request.getAttribute(HELD) instanceof TrackedConnection trackedConnection) {
            trackedConnection.upgraded();
        }
    }
}
