package dev.skep.sync.hub;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Position;
import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.FeedScope;
import dev.skep.store.feed.RowsByOwner;
import dev.skep.sync.NameConflict;
import dev.skep.sync.SyncConnection;
import dev.skep.sync.SyncPeer;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.hub.RecentChanges.Forwardable;
import dev.skep.wire.Message;
import dev.skep.wire.Message.CatchUp;
import dev.skep.wire.Message.CatchUpResponse;
import dev.skep.wire.Message.SyncError;
import dev.skep.wire.Message.SyncRequest;
import dev.skep.wire.Message.SyncResponse;
import dev.skep.wire.MessageRows;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hub's end of one link to one host: it brings the host up to date, then asks for its rows when
 * the {@link HubSync} gives this link a turn. The owner of the socket calls one method at a time.
 */
public final class HubLink {
    private static final Logger LOG = LoggerFactory.getLogger(HubLink.class);

    /** A host's stored cursor may stay this far behind while there is nothing to send it. */
    private static final long FAR = 10_000;

    private enum Phase {
        NEW,
        CATCHING_UP,
        LIVE,
        HEALING,
        CLOSED
    }

    private final HubSync hub;
    private final Principal.Host host;
    private final SyncConnection syncConnection;
    private final Ingest ingest;
    private final OwnRowNotices notices;
    private final LinkPageSizers pageSizers;

    private Phase phase = Phase.NEW;
    private long linkNo;
    private long since;
    private long head;
    private long target;

    /** What the host has of this hub's feed, and what it will have once it confirms. */
    private long forwarded;

    private long confirmed;
    private long sent = -1;
    private long reqId;
    private boolean inFlight;
    private boolean knowsAhead;
    private RowsByOwner.KeyCursor healed = RowsByOwner.KeyCursor.START;
    private boolean healsMore;

    HubLink(HubSync hub, Principal.Host host, SyncConnection syncConnection) {
        this.hub = hub;
        this.host = host;
        this.syncConnection = syncConnection;
        this.ingest = new Ingest(host, hub.schema(), hub.store());
        this.notices = new OwnRowNotices(hub, host);
        this.pageSizers = new LinkPageSizers(hub.limits());
    }

    Principal.Host host() {
        return host;
    }

    /**
     * The next request reports to the host what concerns it: grants, conflicts, what others hold.
     */
    void remind() {
        notices.remind();
    }

    public void onMessage(Message message) {
        switch (message) {
            case CatchUp m when phase == Phase.NEW || phase == Phase.CATCHING_UP -> onCatchUp(m);
            case SyncResponse m when inFlight && m.reqId() == reqId -> onResponse(m);
            case SyncError m when inFlight && m.error().equals(SyncError.UNKNOWN_HEAD) ->
                    onUnknownHead();
            case SyncError m -> close("the host refuses: " + m.error());
            case Message.SyncAvailable _ when phase != Phase.NEW -> hub.queuePull(this);
            default -> refuse(SyncError.BAD_MESSAGE, "a message that does not belong here");
        }
    }

    /** Part of a message has arrived; called from any thread, at a limited rate. */
    public void onProgress() {
        hub.moved(this);
    }

    /** The socket is gone. */
    public void onClosed() {
        phase = Phase.CLOSED;
        hub.left(this);
    }

    /** The hub cannot do what this link is for now; the host comes back by itself. */
    public void onFailure(SkepException trouble) {
        hub.failureLog().recordFailure(trouble);
        close("the hub cannot store its rows: " + trouble.code().code());
    }

    void onSilence() {
        close("no answer in time");
    }

    private void onCatchUp(CatchUp m) {
        if (!m.hostId().equals(host.id().value())) {
            refuse(SyncError.NOT_AUTHORISED, "the key of this link belongs to another host");
            return;
        }
        boolean first = phase == Phase.NEW;
        if (first && !isCompatible(m)) {
            return;
        }
        pageSizers.answered(hub.now(), false);
        knowsAhead =
                Math.min(m.protocolMax(), hub.schema().protocol()) >= SyncSchema.PROTOCOL_AHEAD;
        boolean known = hub.store().read(db -> db.isKnown(m.hubHead()));
        hub.recordActivity(this);
        if (first) {
            open();
        }
        if (first && (!known || m.hubHead() == Position.NONE)) {
            // This hub may have lost what the host holds. Until the host has reported it, it keeps
            // its old head, so that after a broken link it is asked again.
            syncConnection.send(
                    new CatchUpResponse(
                            MessageRows.NONE, m.lastSyncedFromHub(), m.hubHead(), true, true));
            return;
        }
        if (!m.seen().isEmpty()) {
            hub.learn(host, m.seen());
        }
        forwarded = known ? m.lastSyncedFromHub() : Position.NONE;
        FeedPage page = missed();
        forwarded = page.upto();
        confirmed = page.upto();
        boolean more = page.upto() < target;
        MessageRows rows = MessageRows.of(page.tables());
        sends(rows.size(), more);
        syncConnection.send(new CatchUpResponse(rows, page.upto(), page.head(), more, false));
        if (!more) {
            phase = Phase.LIVE;
            hub.ready(this);
        }
    }

    /** Takes the next link number, which fences older links. */
    private void open() {
        phase = Phase.CATCHING_UP;
        SyncPeer peer =
                hub.store()
                        .write(
                                tx -> {
                                    target = tx.now();
                                    return tx.openLink(host.id().value());
                                });
        linkNo = peer.linkNo();
        since = peer.cursor();
        head = peer.head();
    }

    private FeedPage missed() {
        return hub.store()
                .read(
                        db ->
                                db.page(
                                        new FeedScope.ForwardedTo(host.org(), host.id()),
                                        forwarded,
                                        pageSizers.toHost()));
    }

    private boolean isCompatible(CatchUp m) {
        Optional<SyncError> refusal = VersionCompatibility.refusal(m, hub.schema());
        if (refusal.isPresent()) {
            syncConnection.send(refusal.get());
            close("schema version " + m.schemaVersion());
        }
        return refusal.isEmpty();
    }

    /** Accounts for bytes sent: large messages may take long, and show how fast the line is. */
    private void sends(long bytes, boolean full) {
        hub.sent(this, bytes);
        pageSizers.sent(hub.now(), full);
    }

    /** It is this link's turn: asks for rows and brings what others wrote. */
    void ask() {
        if (phase == Phase.LIVE && !inFlight) {
            ask(false);
        }
    }

    private void ask(boolean ahead) {
        OwnRowNotices.NoticeBatch noticeBatch = notices.next(linkNo);
        if (noticeBatch.linkNo() != linkNo) {
            close("a newer link of the host exists, or it is to start over");
            return;
        }
        Forwardable next = hub.after(forwarded, host, pageSizers.toHost());
        Message.Forwards forwards = null;
        if (!next.rows().isEmpty() || isFar(next.cursor())) {
            forwards = new Message.Forwards(next.rows(), next.cursor(), next.head());
            sent = next.cursor();
        } else {
            forwarded = next.cursor();
        }
        sends(next.rows().size(), next.cursor() < next.head());
        request(ahead, noticeBatch, forwards, null);
    }

    private boolean isFar(long cursor) {
        return Position.epoch(cursor) != Position.epoch(confirmed) || cursor - confirmed > FAR;
    }

    private void request(
            boolean ahead,
            OwnRowNotices.NoticeBatch noticeBatch,
            Message.@Nullable Forwards forwards,
            Message.@Nullable Heal heal) {
        inFlight = true;
        syncConnection.send(
                new SyncRequest(
                        ++reqId,
                        hub.schema().version(),
                        since,
                        ahead,
                        pageSizers.fromHost(),
                        noticeBatch.kept(since),
                        head,
                        noticeBatch.seen(),
                        forwards,
                        heal,
                        noticeBatch.rejects(),
                        noticeBatch.grants()));
    }

    private void onResponse(SyncResponse m) {
        inFlight = false;
        pageSizers.answered(hub.now(), m.hasMore());
        if (!m.hostId().equals(host.id().value()) || !ingest.areOwn(m.rows())) {
            refuse(SyncError.OWNERSHIP_VIOLATION, "a host may send its own rows only");
            return;
        }
        if (phase == Phase.HEALING) {
            onHealed(m);
            return;
        }
        if (m.upto() < since || m.head() < m.upto()) {
            refuse(SyncError.BAD_MESSAGE, "positions that do not follow each other");
            return;
        }
        boolean confirms = sent >= 0 && m.applied() == sent;
        if (confirms) {
            forwarded = sent;
            confirmed = sent;
        }
        boolean retry = sent >= 0 && !confirms;
        sent = -1;
        since = m.upto();
        head = Math.max(head, m.head());
        // Before this page is stored, so that the next one comes meanwhile. Should storing fail,
        // the link ends, and the next one begins where the database is.
        boolean ahead = m.hasMore() && knowsAhead && hub.mayContinue(this);
        if (ahead) {
            ask(true);
        }
        if (stored(m) && !ahead) {
            boolean useful = !m.rows().isEmpty() || confirms;
            boolean more = m.hasMore() || notices.hasNew();
            hub.answered(
                    this,
                    useful,
                    more,
                    !retry && hub.hasChangesAfter(forwarded, host, pageSizers.toHost()));
        }
    }

    /** Stores a page; one without rows needs no write. */
    private boolean stored(SyncResponse m) {
        if (m.rows().isEmpty()) {
            return true;
        }
        try {
            switch (ingest.store(m.rows(), linkNo, since, head)) {
                case Ingest.Outcome.Stored(var rejected, var pulledAnew) -> {
                    hub.failureLog().over();
                    hub.stored(this);
                    hub.remind(pulledAnew.stream().map(HostId::value).toList());
                    notices.rejected(rejected);
                    report(rejected);
                    return true;
                }
                case Ingest.Outcome.Fenced() -> close("a newer link of the host exists");
            }
        } catch (SkepException e) {
            onFailure(e);
        }
        return false;
    }

    /** One line for each cause, however many rows and pages there are. */
    private void report(List<Message.Reject> rejected) {
        for (Message.Reject each : rejected) {
            boolean isRefusal = !each.reason().equals(NameConflict.REASON);
            if (isRefusal && hub.isWorthLogging(host.id(), each.reason())) {
                LOG.warn(
                        "rows refused host={} reason={}; the quarantine has them",
                        host.id(),
                        each.reason());
            }
        }
        if (rejected.stream().anyMatch(r -> r.reason().equals(SyncError.OWNERSHIP_VIOLATION))) {
            syncConnection.send(
                    new SyncError(
                            SyncError.OWNERSHIP_VIOLATION,
                            "rows that belong to another host were not stored; see the quarantine"));
        }
    }

    private void onUnknownHead() {
        inFlight = false;
        SyncPeer peer = hub.store().read(db -> db.peer(host.id().value()));
        if (phase != Phase.LIVE || peer.looksCloned(hub.now())) {
            refuse(
                    SyncError.HOST_CLONED,
                    "two machines run as this host; give one of them its own data folder");
            return;
        }
        LOG.info("host was restored from a backup, giving it its rows back host={}", host.id());
        phase = Phase.HEALING;
        healed = RowsByOwner.KeyCursor.START;
        heal();
    }

    private void heal() {
        RowsByOwner.OwnerPage ownerPage =
                hub.store().read(db -> db.held(host.org(), host.id(), healed, pageSizers.toHost()));
        healed = ownerPage.next();
        healsMore = ownerPage.hasMore();
        MessageRows rows = MessageRows.of(ownerPage.tables());
        hub.recordActivity(this);
        sends(rows.size(), healsMore);
        request(false, notices.onlyNew(linkNo), null, new Message.Heal(rows, head, healsMore));
    }

    private void onHealed(SyncResponse m) {
        if (healsMore) {
            heal();
        } else if (!m.healed()) {
            refuse(SyncError.BAD_MESSAGE, "the end of a heal without new stamps");
        } else if (hub.store()
                .write(tx -> tx.healed(host.id().value(), linkNo, m.head(), hub.now()))) {
            since = Position.NONE;
            head = m.head();
            sent = -1;
            phase = Phase.LIVE;
            hub.answered(this, true, true, true);
        } else {
            close("a newer link of the host exists");
        }
    }

    private void refuse(String error, String message) {
        if (hub.isWorthLogging(host.id(), error)) {
            LOG.warn("link refused host={} error={} {}", host.id(), error, message);
        }
        syncConnection.send(new SyncError(error, message));
        close(error);
    }

    private void close(String reason) {
        if (phase != Phase.CLOSED) {
            phase = Phase.CLOSED;
            hub.left(this);
            syncConnection.close(reason);
        }
    }
}
