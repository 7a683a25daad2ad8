package dev.skep.runner.hold;

import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What holds all agents of this host. A change is durable before anybody hears of it. Thread-safe.
 */
public final class AgentHolds {
    private final AgentHoldStore store;
    private final Principal who;
    private final UlidSource ids;
    private final InstantSource clock;
    private final Map<String, AgentHold> byHolder = new HashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    public AgentHolds(AgentHoldStore store, Principal who, UlidSource ids, InstantSource clock) {
        this.store = store;
        this.who = who;
        this.ids = ids;
        this.clock = clock;
        store.all(who).forEach(hold -> byHolder.put(hold.holder(), hold));
    }

    /** Runs the listener after each change, on the thread that made it, before it is reported. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Those in force. */
    public synchronized List<AgentHold> inForce() {
        return byHolder.values().stream().filter(hold -> !hold.lifted()).toList();
    }

    /** What a holder wanted last, as long as it has not taken that back. */
    public synchronized Optional<AgentHold> of(String holder) {
        return Optional.ofNullable(byHolder.get(holder));
    }

    /** Why no agent may work, in words; empty if they may. */
    public Optional<String> why() {
        return inForce().stream().findFirst().map(AgentHold::words);
    }

    /** One that is known already changes nothing, so a lifted one stays lifted. */
    public void hold(AgentHold wanted) {
        synchronized (this) {
            AgentHold known = byHolder.get(wanted.holder());
            if (known != null && known.id().equals(wanted.id())) {
                return;
            }
            store.put(who, wanted);
            byHolder.put(wanted.holder(), wanted);
        }
        listeners.forEach(Runnable::run);
    }

    /** The owner of this host wants it; another such wish replaces the one before. */
    public void holdHere(Actor actor, String by, String reason) {
        AgentHold wanted =
                new AgentHold(AgentHold.OWNER, ids.next(), by, reason, clock.instant(), false);
        synchronized (this) {
            store.put(actor, who, wanted);
            byHolder.put(AgentHold.OWNER, wanted);
        }
        listeners.forEach(Runnable::run);
    }

    /** A holder takes this one back; another one of its stays. */
    public void release(String holder, String id) {
        synchronized (this) {
            AgentHold known = byHolder.get(holder);
            if (known == null || !known.id().equals(id)) {
                return;
            }
            store.remove(who, holder);
            byHolder.remove(holder);
        }
        listeners.forEach(Runnable::run);
    }

    /** The owner of this host lifts all; how many were in force. */
    public int liftAll(Actor actor) {
        int lifted;
        synchronized (this) {
            lifted = store.liftAll(actor, who);
            byHolder.clear();
            store.all(who).forEach(hold -> byHolder.put(hold.holder(), hold));
        }
        if (lifted > 0) {
            listeners.forEach(Runnable::run);
        }
        return lifted;
    }
}
