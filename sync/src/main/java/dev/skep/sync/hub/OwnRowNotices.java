package dev.skep.sync.hub;

import dev.skep.kernel.identity.Principal;
import dev.skep.sync.NameConflict;
import dev.skep.sync.SyncStore;
import dev.skep.wire.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reports to a host about its own rows, with a request for them: at once what happened to the rows
 * it just sent, and repeatedly, until nothing is pending, what else is known. Once is not enough.
 */
final class OwnRowNotices {
    private final HubSync hub;
    private final Principal.Host host;
    private volatile boolean due = true;
    private Instant sentAt = Instant.MIN;
    private List<Message.Reject> fresh = List.of();
    private long asideFrom;

    OwnRowNotices(HubSync hub, Principal.Host host) {
        this.hub = hub;
        this.host = host;
    }

    /**
     * The notices of one request, and the newest link of the host according to the database.
     *
     * @param asideFrom the lowest stamp of its rows that are aside, 0 for none
     */
    record NoticeBatch(
            long linkNo,
            long asideFrom,
            Map<Long, Long> seen,
            List<Message.Grant> grants,
            List<Message.Reject> rejects) {

        /** How far the host's rows are taken, of those that were pulled. */
        long kept(long since) {
            return asideFrom == 0 ? since : Math.min(since, asideFrom - 1);
        }
    }

    /** There are new notices; may be called from anywhere. */
    void remind() {
        due = true;
    }

    void rejected(List<Message.Reject> rejects) {
        fresh = rejects;
        if (!rejects.isEmpty()) {
            asideFrom = hub.store().read(db -> db.quarantinedFrom(host.id().value()));
        }
    }

    boolean hasNew() {
        return !fresh.isEmpty();
    }

    NoticeBatch next(long linkNo) {
        Instant now = hub.now();
        boolean recent = !sentAt.isAfter(now) && now.isBefore(sentAt.plus(hub.limits().idle()));
        if (recent && !due) {
            return onlyNew(linkNo);
        }
        due = false;
        sentAt = now;
        return hub.store().read(this::all);
    }

    NoticeBatch onlyNew(long linkNo) {
        return new NoticeBatch(linkNo, asideFrom, Map.of(), List.of(), takeFresh());
    }

    private List<Message.Reject> takeFresh() {
        List<Message.Reject> taken = fresh;
        fresh = List.of();
        return taken;
    }

    private NoticeBatch all(SyncStore.Reading db) {
        List<Message.Reject> rejects = new ArrayList<>(takeFresh());
        rejects.addAll(db.rejected(host.org(), host.id()));
        for (NameConflict conflict : db.nameConflicts(host.org(), host.id())) {
            rejects.add(conflict.reject());
        }
        asideFrom = db.quarantinedFrom(host.id().value());
        return new NoticeBatch(
                db.peer(host.id().value()).linkNo(),
                asideFrom,
                db.seen(host.id().value()),
                db.pendingGrants(host.org(), host.id()),
                rejects);
    }
}
