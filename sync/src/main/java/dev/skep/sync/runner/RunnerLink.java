package dev.skep.sync.runner;

import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Position;
import dev.skep.sync.SyncConnection;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncPeer;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import dev.skep.wire.Message;
import dev.skep.wire.Message.CatchUp;
import dev.skep.wire.Message.CatchUpResponse;
import dev.skep.wire.Message.SyncError;
import dev.skep.wire.Message.SyncRequest;
import dev.skep.wire.Message.SyncResponse;
import dev.skep.wire.MessageRows;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A runner's end of one link to one hub: it catches up, then answers. The owner of the socket calls
 * one method at a time; each finishes its transactions before it returns.
 */
public final class RunnerLink {
    private static final Logger LOG = LoggerFactory.getLogger(RunnerLink.class);

    /** A position this far behind gets a write of its own; nearer ones are stored with others. */
    private static final long FAR = 10_000;

    /** Where the link stands. */
    public enum Phase {
        CONNECTING,
        CATCHING_UP,
        LIVE,
        REFUSED
    }

    private final Principal.Host self;
    private final String hub;
    private final SyncSchema schema;
    private final SyncLimits limits;
    private final SyncStore store;
    private final Replication replication;
    private final Healing healing;
    private final InstantSource clock;
    private final SyncConnection syncConnection;
    private final ResponsePages pages;

    private Phase phase = Phase.CONNECTING;
    private volatile Instant lastReceived;
    private Instant tidied;
    private SyncPeer peer = SyncPeer.NEW;

    /** After which the hub sends on: the cursor, unless it has lost its past and begins anew. */
    private long from = Position.NONE;

    /** What the hub has confirmed; stored now and then. */
    private long pulled = Position.NONE;

    private boolean nudged;
    private boolean agreed;

    /** Whether this host reported lost rows, and the hub has not given back the last page. */
    private boolean heals;

    /** How many bytes of rows must reach the hub before it can answer. */
    private long onTheWay;

    /**
     * A runner's link to the hub that this database knows by the given id.
     *
     * @param consent what this host lets the hub do
     */
    public RunnerLink(
            Principal.Host self,
            String hub,
            HubConsent consent,
            SyncSchema schema,
            SyncLimits limits,
            SyncStore store,
            InstantSource clock,
            SyncConnection syncConnection) {
        this(self, hub, JoinKind.AS_RUNNER, consent, schema, limits, store, clock, syncConnection);
    }

    /** The same for whatever joins. */
    public RunnerLink(
            Principal.Host self,
            String hub,
            JoinKind joinKind,
            HubConsent consent,
            SyncSchema schema,
            SyncLimits limits,
            SyncStore store,
            InstantSource clock,
            SyncConnection syncConnection) {
        this.self = self;
        this.hub = joinKind.peer(hub);
        this.schema = schema;
        this.limits = limits;
        this.store = store;
        this.replication =
                new Replication(self, joinKind, consent, schema, store, clock, limits.idle());
        this.healing = new Healing(self, consent, schema, store);
        this.clock = clock;
        this.syncConnection = syncConnection;
        this.pages = new ResponsePages(self, schema, limits, store);
        this.lastReceived = clock.instant();
        this.tidied = lastReceived;
    }

    public Phase phase() {
        return phase;
    }

    /**
     * Whether the hub knows nothing of this host that the host does not know itself: from here on
     * it has given back all that it held.
     */
    public boolean isAgreed() {
        return agreed;
    }

    /** The socket is open and authenticated. */
    public void onOpen() {
        lastReceived = clock.instant();
        phase = Phase.CATCHING_UP;
        heals = false;
        peer = store.read(db -> db.peer(hub));
        pulled = peer.pulled();
        from = peer.cursor();
        catchUp(peer.cursor(), peer.head(), Map.of());
    }

    /** Part of a message has come, or left; from any thread. */
    public void onProgress() {
        lastReceived = clock.instant();
    }

    public void onMessage(Message message) {
        lastReceived = clock.instant();
        onTheWay = 0;
        switch (message) {
            case CatchUpResponse m when phase == Phase.CATCHING_UP -> onCatchUp(m);
            case SyncRequest m when phase == Phase.LIVE -> onRequest(m);
            case SyncError m -> onError(m);
            default -> syncConnection.close("the hub sent what does not belong here");
        }
    }

    /** This database has new rows of its own. */
    public void onMoved() {
        if (phase == Phase.LIVE && !nudged) {
            nudged = true;
            syncConnection.send(new Message.SyncAvailable());
        }
    }

    /** Called now and then: a hub that has been silent for too long is not there. */
    public void onTick() {
        Instant now = clock.instant();
        // A clock that was set back must not make us wait for the time in between.
        lastReceived = lastReceived.isAfter(now) ? now : lastReceived;
        tidied = tidied.isAfter(now) ? now : tidied;
        if (now.isAfter(lastReceived.plus(limits.silence()).plus(limits.onTheWay(onTheWay)))) {
            syncConnection.close("the hub is silent");
        } else if (phase == Phase.LIVE && now.isAfter(tidied.plus(limits.idle()))) {
            tidied = now;
            replication.clearNames();
            if (pulled != peer.pulled()) {
                save(peer.cursor(), peer.head(), pulled);
            }
            askAgain();
        }
    }

    /**
     * Reads the page the hub will ask for next, while it stores the last one. Returns what is then
     * sent, the very same object, if nothing else happens in between.
     */
    public Optional<Message> readAhead() {
        return phase == Phase.LIVE ? pages.readAhead(peer.cursor()) : Optional.empty();
    }

    private void catchUp(long cursor, long head, Map<String, Map<Long, Long>> seen) {
        syncConnection.send(
                new CatchUp(
                        self.id().value(),
                        schema.version(),
                        SyncSchema.PROTOCOL_MIN,
                        schema.protocol(),
                        cursor,
                        head,
                        seen));
    }

    private void onCatchUp(CatchUpResponse m) {
        if (m.wantSeen()) {
            from = Position.NONE;
            catchUp(peer.cursor(), peer.head(), store.read(db -> db.seenExcept(self.id().value())));
            return;
        }
        if (m.hasMore()) {
            // Before this page is stored, so that the hub reads the next one meanwhile. Should
            // storing fail, the link ends, and the next one begins where the database is.
            catchUp(m.cursor(), m.hubHead(), Map.of());
        }
        if (!applied(new Message.Forwards(m.rows(), m.cursor(), m.hubHead()), pulled)) {
            syncConnection.close("what the hub sent could not be stored");
        } else if (!m.hasMore()) {
            phase = Phase.LIVE;
            askAgain();
        }
    }

    private void onRequest(SyncRequest m) {
        nudged = false;
        if (m.schemaVersion() < schema.version()) {
            refuse(m.schemaVersion());
            return;
        }
        if (m.heal() != null && !Position.isCredible(m.heal().head())) {
            syncConnection.close("the hub sent an impossible position");
            return;
        }
        if (m.heal() != null) {
            if (!heals) {
                syncConnection.close("the hub gives back what nobody asked for");
                return;
            }
            pages.forget();
            pulled = Position.NONE;
            boolean healed = healing.onPage(m.heal());
            heals = !healed;
            long head = store.read(SyncStore.Reading::now);
            syncConnection.send(
                    new SyncResponse(
                            m.reqId(),
                            self.id().value(),
                            MessageRows.NONE,
                            0,
                            head,
                            false,
                            peer.cursor(),
                            healed));
            return;
        }
        if (!store.read(db -> db.isKnown(m.head()))) {
            heals = true;
            agreed = false;
            healing.begin();
            syncConnection.send(
                    new SyncError(
                            SyncError.UNKNOWN_HEAD,
                            "this host was restored from a backup; send it its own rows"));
            return;
        }
        pages.resize(m.pageBytes());
        agreed = true;
        healing.onSeen(m.seen());
        replication.onNotices(m.rejects(), m.grants());
        // What the hub has not stored yet, or not among the others, must not be purged here.
        pulled = m.ahead() ? pulled : Math.min(m.since(), m.kept());
        if (m.forwards() != null) {
            applied(m.forwards(), pulled);
        } else if (pulled < peer.pulled() || isFar(pulled, peer.pulled())) {
            save(peer.cursor(), peer.head(), pulled);
        }
        SyncResponse answer = pages.answer(m, peer.cursor());
        onTheWay = answer.rows().size();
        syncConnection.send(answer);
        if (m.forwards() != null) {
            askAgain();
        }
    }

    /**
     * Rows of this hub were set aside until their agents were known, and now they are: a new link
     * fetches them. Only after catch-up, or each of many agents would restart it.
     */
    private void askAgain() {
        OptionalLong from = store.read(db -> db.askAgainFrom(hub));
        if (from.isPresent()) {
            store.write(
                    tx -> {
                        tx.askAgain(hub, from.getAsLong());
                        return true;
                    });
            // Nothing that still comes on this link may move the cursor on.
            phase = Phase.CONNECTING;
            syncConnection.close("rows that waited for their agents are asked for again");
        }
    }

    /** Stores rows and cursor together; on failure nothing, and the hub sends them again. */
    private boolean applied(Message.Forwards forwards, long pulled) {
        try {
            replication.apply(
                    forwards.rows(),
                    hub,
                    from,
                    tx -> tx.store(hub, forwards.cursor(), forwards.hubHead(), pulled));
            peer = new SyncPeer(forwards.cursor(), forwards.hubHead(), pulled, 0, 0, null);
            from = peer.cursor();
            return true;
        } catch (SkepException e) {
            LOG.warn("forwards not stored hub={} code={} {}", hub, e.code().code(), e.getMessage());
            return false;
        }
    }

    private void save(long cursor, long head, long pulled) {
        store.write(
                tx -> {
                    tx.store(hub, cursor, head, pulled);
                    return cursor;
                });
        peer = new SyncPeer(cursor, head, pulled, 0, 0, null);
    }

    private static boolean isFar(long position, long stored) {
        return Position.epoch(position) != Position.epoch(stored) || position - stored > FAR;
    }

    private void refuse(int hubVersion) {
        phase = Phase.REFUSED;
        syncConnection.send(
                new SyncError(
                        SyncError.SCHEMA_VERSION_MISMATCH,
                        (long) schema.version(),
                        (long) hubVersion,
                        "Hub schema version %d is older than runner version %d. Please update hub."
                                .formatted(hubVersion, schema.version())));
        syncConnection.close("the hub has an older schema");
    }

    private void onError(SyncError m) {
        // A problem with one row does not end the link; both ends continue.
        if (!m.error().equals(SyncError.OWNERSHIP_VIOLATION)) {
            phase = Phase.REFUSED;
            syncConnection.close("the hub refuses: " + m.error());
        }
    }
}
