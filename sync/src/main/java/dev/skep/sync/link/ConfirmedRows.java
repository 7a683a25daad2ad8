package dev.skep.sync.link;

import dev.skep.kernel.error.SkepException;
import dev.skep.sync.SyncPeer;
import dev.skep.sync.SyncStore;
import dev.skep.sync.runner.JoinKind;
import dev.skep.wire.Message;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Up to which of this host's writes each hub has confirmed them. Thread-safe. */
final class ConfirmedRows {
    private final SyncStore store;
    private final JoinKind joinKind;
    private final Map<String, Long> confirmed = new ConcurrentHashMap<>();

    /** Up to where each hub has this host's writes among the others: what is aside is not. */
    private final Map<String, Long> pulled = new ConcurrentHashMap<>();

    ConfirmedRows(SyncStore store, JoinKind joinKind) {
        this.store = store;
        this.joinKind = joinKind;
    }

    long of(String hub) {
        Long position = confirmed.get(hub);
        return position == null ? store.read(db -> db.peer(joinKind.peer(hub)).pulled()) : position;
    }

    /** Stores what each hub keeps, which is else done in steps. */
    void storeAll() {
        pulled.forEach(this::store);
    }

    private void store(String hub, long pulled) {
        try {
            store.write(
                    tx -> {
                        SyncPeer known = tx.peer(joinKind.peer(hub));
                        tx.store(joinKind.peer(hub), known.cursor(), known.head(), pulled);
                        return pulled;
                    });
        } catch (SkepException unreachable) {
            // Until the next link it reports more waiting rows than there are.
        }
    }

    /** What the requests on one link confirm. */
    final class OnLink {
        private final String hub;
        private @Nullable Long askedFrom;

        OnLink(String hub) {
            this.hub = hub;
        }

        /**
         * A hub that asks ahead has not stored the rows before this position, but those before the
         * previous one; one that heals starts over.
         */
        void onRequest(Message.SyncRequest request) {
            Long stored = request.ahead() ? askedFrom : (Long) request.since();
            askedFrom = request.heal() == null ? request.since() : null;
            if (request.heal() != null) {
                confirmed.remove(hub);
                pulled.remove(hub);
            } else if (stored != null) {
                confirmed.put(hub, stored);
                pulled.put(hub, Math.min(stored, request.kept()));
            }
        }
    }
}
