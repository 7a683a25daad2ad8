package dev.skep.simulation;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.simulation.MemoryState.Entry;
import dev.skep.sync.NameConflict;
import dev.skep.sync.NamedTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Who has which name, in the database in memory. */
final class MemoryNames {
    private final MemoryStore db;
    private final MemoryState state;

    MemoryNames(MemoryStore db) {
        this.db = db;
        this.state = db.state();
    }

    private Collection<Entry> rows(NamedTable named) {
        return state.table(named.table().name()).values();
    }

    private static String claim(OrgId org, NamedTable named, String name) {
        return org.value() + "/" + named.table().name() + "/" + name;
    }

    private static String claim(NamedTable named, Entry entry) {
        return claim(new OrgId(entry.org()), named, named.nameOf(entry.row()));
    }

    /** Whether another row had the name first. */
    boolean isTaken(Entry entry) {
        return db.schema()
                .named(entry.table().name())
                .map(named -> state.claims.get(claim(named, entry)))
                .filter(holder -> !holder.equals(entry.key()))
                .isPresent();
    }

    /** Frees names their rows gave up, then lets the first live, unmarked row have a free one. */
    void settle(OrgId org, NamedTable named, List<SyncRow> rows) {
        List<String> free = new ArrayList<>();
        for (SyncRow row : rows) {
            String id = MemoryState.key(named.table(), row);
            state.claims.entrySet().stream()
                    .filter(claim -> claim.getValue().equals(id))
                    .map(Map.Entry::getKey)
                    .filter(claim -> claim.startsWith(claim(org, named, "")))
                    .filter(claim -> !holds(named, claim, id))
                    .toList()
                    .forEach(
                            claim -> {
                                db.remove(state.claims, claim);
                                free.add(claim);
                            });
            free.add(claim(org, named, named.nameOf(row)));
        }
        for (String claim : free) {
            if (!state.claims.containsKey(claim)) {
                rows(named).stream()
                        .map(Entry::key)
                        .filter(id -> holds(named, claim, id))
                        .min(Comparator.naturalOrder())
                        .ifPresent(id -> db.put(state.claims, claim, id));
            }
        }
    }

    private boolean holds(NamedTable named, String claim, String id) {
        Entry entry = state.table(named.table().name()).get(id);
        return entry != null && isUnmarked(named, entry) && claim(named, entry).equals(claim);
    }

    private static boolean isUnmarked(NamedTable named, Entry entry) {
        return named.isLive(entry.row()) && !named.isMarked(entry.row());
    }

    List<NameConflict> conflicts(OrgId org, HostId host) {
        List<NameConflict> conflicts = new ArrayList<>();
        for (NamedTable named : db.schema().named()) {
            rows(named).stream()
                    .filter(entry -> entry.org().equals(org.value()))
                    .filter(entry -> entry.row().hostId().equals(host.value()))
                    .filter(entry -> isUnmarked(named, entry))
                    .filter(entry -> !entry.key().equals(state.claims.get(claim(named, entry))))
                    .sorted(Comparator.comparing(Entry::key))
                    .map(e -> new NameConflict(named, e.key(), named.nameOf(e.row())))
                    .forEach(conflicts::add);
        }
        return conflicts;
    }

    List<String> alone(HostId self, NamedTable named) {
        return rows(named).stream()
                .filter(own -> own.row().hostId().equals(self.value()))
                .filter(own -> named.isMarked(own.row()) && isAlone(named, own))
                .map(Entry::key)
                .sorted()
                .toList();
    }

    private boolean isAlone(NamedTable named, Entry own) {
        String name = named.nameOf(own.row());
        return rows(named).stream()
                .noneMatch(
                        other ->
                                !other.key().equals(own.key())
                                        && named.isLive(other.row())
                                        && named.nameOf(other.row()).equals(name));
    }
}
