package dev.skep.simulation;

import dev.skep.sync.SyncPeer;
import java.time.Instant;
import java.util.List;

/** How far things have got with each peer, in the database in memory. */
final class MemoryPeers {
    private final MemoryStore db;
    private final MemoryState state;
    private final World world;

    MemoryPeers(MemoryStore db) {
        this.db = db;
        this.state = db.state();
        this.world = db.world;
    }

    SyncPeer of(String id) {
        return state.peers.getOrDefault(id, SyncPeer.NEW);
    }

    /** The cursor belongs to the transaction, unless that very rule is out. */
    void put(String id, SyncPeer peer) {
        if (world.has(Rule.ATOMIC_CURSOR)) {
            db.put(state.peers, id, peer);
        } else {
            state.peers.put(id, peer);
        }
    }

    SyncPeer open(String host) {
        SyncPeer opened = withLink(of(host), of(host).cursor());
        db.put(state.peers, host, opened);
        return opened;
    }

    void restart(String host) {
        db.put(state.peers, host, withLink(of(host), 0));
    }

    private static SyncPeer withLink(SyncPeer of, long cursor) {
        return new SyncPeer(
                cursor, of.head(), of.pulled(), of.linkNo() + 1, of.heals(), of.healsFrom());
    }

    private boolean isFenced(SyncPeer peer, long linkNo) {
        return peer.linkNo() != linkNo && world.has(Rule.LINK_FENCE);
    }

    boolean advance(String host, long linkNo, long since, long head) {
        SyncPeer peer = of(host);
        if (isFenced(peer, linkNo)) {
            return false;
        }
        if (since < peer.cursor()) {
            throw new Violation("a hub's position of %s went back".formatted(host));
        }
        put(
                host,
                new SyncPeer(
                        since, head, peer.pulled(), peer.linkNo(), peer.heals(), peer.healsFrom()));
        return true;
    }

    boolean healed(String host, long linkNo, long head, Instant at) {
        SyncPeer peer = of(host);
        if (isFenced(peer, linkNo)) {
            return false;
        }
        put(host, peer.healedAt(at, head));
        return true;
    }

    void forgetPulled() {
        for (String hub : List.copyOf(state.peers.keySet())) {
            SyncPeer peer = of(hub);
            db.put(state.peers, hub, new SyncPeer(peer.cursor(), peer.head(), 0, 0, 0, null));
        }
    }
}
