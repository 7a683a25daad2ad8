package dev.skep.directory.host;

import dev.skep.store.Database;
import dev.skep.store.Transaction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The hubs that have yet to give this host its rows back, because its database was lost and its key
 * was not. It survives a restart. Thread-safe.
 */
public final class AwaitedHubs {
    private final Database database;
    private final HostKeys keys;

    /** Per hub's id, whether this host has stopped waiting for it. */
    private final Map<String, Boolean> givenUp;

    AwaitedHubs(Database database, HostKeys keys) {
        this.database = database;
        this.keys = keys;
        this.givenUp =
                new HashMap<>(
                        database
                                .read(
                                        snapshot ->
                                                snapshot.list(
                                                        "SELECT hub_id, given_up FROM awaited_hubs",
                                                        row ->
                                                                Map.entry(
                                                                        row.text("hub_id"),
                                                                        row.flag("given_up"))))
                                .stream()
                                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** With the first word of a new database: its host has been at these hubs before. */
    static void begin(Transaction transaction, List<JoinedHub> hubs) {
        for (JoinedHub hub : hubs) {
            transaction.update(
                    "INSERT INTO awaited_hubs (hub_id) VALUES (?) ON CONFLICT (hub_id) DO NOTHING",
                    hub.hubId());
        }
    }

    /** Those that agents wait for: none is made anew before they have answered. */
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

    /** Waits no longer: what they give back later is joined to what was made meanwhile. */
    public void giveUp() {
        database.write(transaction -> transaction.update("UPDATE awaited_hubs SET given_up = 1"));
        synchronized (this) {
            givenUp.replaceAll((hub, before) -> true);
        }
    }

    /** A hub has given back what it had; true if that was news. */
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
