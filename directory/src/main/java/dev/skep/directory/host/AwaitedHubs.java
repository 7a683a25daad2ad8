package dev.skep.directory.host;

import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The hubs that have yet to give this host its rows back, because its database was lost and its key
 * was not, or because it was put back to an earlier state. It survives a restart. Thread-safe.
 */
public final class AwaitedHubs {
    private final Database database;
    private final HostKeys keys;

    /** Per hub's id, whether this host has stopped waiting for it. */
    private final Map<String, Boolean> givenUp;

    AwaitedHubs(Database database, HostKeys keys) {
        this.database = database;
        this.keys = keys;
        this.givenUp = database.read(AwaitedHubs::read);
    }

    private static Map<String, Boolean> read(Snapshot snapshot) {
        Map<String, Boolean> givenUp = new HashMap<>();
        snapshot.list(
                "SELECT hub_id, given_up FROM awaited_hubs",
                row -> givenUp.put(row.text("hub_id"), row.flag("given_up")) == null);
        return givenUp;
    }

    /** The ids of the hubs that agents wait for, according to a database. */
    public static Set<String> awaited(Snapshot snapshot) {
        Map<String, Boolean> givenUp = read(snapshot);
        givenUp.values().removeIf(given -> given);
        return givenUp.keySet();
    }

    /** At the start of a new database: its host has been at these hubs before. */
    static void begin(Transaction transaction, List<JoinedHub> hubs) {
        for (JoinedHub hub : hubs) {
            transaction.update(
                    "INSERT INTO awaited_hubs (hub_id) VALUES (?) ON CONFLICT (hub_id) DO NOTHING",
                    hub.hubId());
        }
    }

    /** The hubs that agents wait for: no agent is created anew before these have answered. */
    public Set<JoinedHub> awaited() {
        return hubs(false);
    }

    /** Whether any hub may still give something back, waited for or not. */
    public boolean isAnyLeft() {
        return !hubs(false).isEmpty() || !hubs(true).isEmpty();
    }

    /** One this host has left, or that is another by now, gives nothing back. */
    private Set<JoinedHub> hubs(boolean given) {
        Set<JoinedHub> hubs = new HashSet<>();
        for (JoinedHub hub : keys.hubs()) {
            if (Optional.of(given).equals(state(hub.hubId()))) {
                hubs.add(hub);
            }
        }
        return hubs;
    }

    private synchronized Optional<Boolean> state(String hub) {
        return Optional.ofNullable(givenUp.get(hub));
    }

    /** A hub knows more of this host than its database, and has begun to give it back. */
    public void await(String hub) {
        database.write(
                transaction ->
                        transaction.update(
                                """
                                INSERT INTO awaited_hubs (hub_id) VALUES (?)
                                ON CONFLICT (hub_id) DO UPDATE SET given_up = 0
                                """,
                                hub));
        synchronized (this) {
            givenUp.put(hub, false);
        }
    }

    /** Waits no longer: what they give back later is joined to what was made meanwhile. */
    public void giveUp() {
        database.write(transaction -> transaction.update("UPDATE awaited_hubs SET given_up = 1"));
        synchronized (this) {
            givenUp.replaceAll((hub, before) -> true);
        }
    }

    /** A hub has given back what it had; true if it was awaited. */
    public boolean answered(String hub) {
        if (state(hub).isEmpty()) {
            return false;
        }
        database.write(
                transaction ->
                        transaction.update("DELETE FROM awaited_hubs WHERE hub_id = ?", hub));
        synchronized (this) {
            givenUp.remove(hub);
        }
        return true;
    }
}
