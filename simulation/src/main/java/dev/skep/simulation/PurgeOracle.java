package dev.skep.simulation;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncTable;
import dev.skep.simulation.MachineStore.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one machine lets go for its age, and whether it was time: by a clock that is never wrong.
 */
final class PurgeOracle {
    static final int EVERY = 100;

    /** A row may be as much older than it looks, and its stamp of age as much too old. */
    private static final long SLACK = 6L * EVERY;

    private final SimulatedMachine machine;
    private final MachineStore store;
    private final World world;
    private final long keep;
    private final Map<String, FirstSeen> seen = new HashMap<>();

    /** The keys of what went, whatever was restored since. */
    private final Set<String> gone = new HashSet<>();

    /**
     * When a version was first seen here, and how often the wall clock had gone further by then.
     */
    private record FirstSeen(long at, int raises) {}

    PurgeOracle(SimulatedMachine machine, MachineStore store, long keep) {
        this.machine = machine;
        this.store = store;
        this.world = machine.world;
        this.keep = keep;
    }

    boolean letGo(String key) {
        return gone.contains(key);
    }

    long keep() {
        return keep;
    }

    /** One round; returns the rows that went. */
    List<Stored> run(OrgId org, HostId self, List<SyncTable> known, List<String> hubs) {
        store.keepAge();
        machine.readClock();
        List<Stored> all = new ArrayList<>();
        for (SyncTable table : tables()) {
            if (known.contains(table)) {
                all.addAll(run(org, self, table, hubs));
            }
        }
        return all;
    }

    private List<SyncTable> tables() {
        List<SyncTable> tables =
                new ArrayList<>(
                        List.of(
                                AgentTables.MAIL_MESSAGES,
                                AgentTables.MAIL_RECIPIENTS,
                                AgentTables.CONTEXT_LOG));
        if (!world.has(Rule.NEVER_BY_AGE)) {
            tables.add(AgentTables.MAIL_STATUS);
        }
        return tables;
    }

    /** Before a process begins and counts time: what is there now was there before that. */
    void look() {
        for (SyncTable table : tables()) {
            note(store.rows(table));
        }
    }

    private void note(List<Stored> rows) {
        for (Stored row : rows) {
            seen.putIfAbsent(version(row), new FirstSeen(world.now(), machine.raises()));
        }
    }

    private List<Stored> run(OrgId org, HostId self, SyncTable table, List<String> hubs) {
        List<Stored> before = store.rows(table);
        note(before);
        store.purge(org, self, table, keep, hubs);
        Set<String> left = new HashSet<>();
        store.rows(table).forEach(row -> left.add(RunnerMachine.key(row)));
        List<Stored> went =
                before.stream().filter(row -> !left.contains(RunnerMachine.key(row))).toList();
        if (!went.isEmpty()) {
            world.count(Fault.PURGE);
            world.say(() -> "%s lets %d of %s go".formatted(machine, went.size(), table.name()));
        }
        if (went.size() > MachineStore.PURGE_BOUND.of(before.size(), 0)) {
            throw new Violation(
                    "%s let %d rows of %s go at once"
                            .formatted(machine, went.size(), table.name()));
        }
        went.forEach(this::judge);
        return went;
    }

    private void judge(Stored row) {
        String key = RunnerMachine.key(row);
        FirstSeen since =
                seen.getOrDefault(version(row), new FirstSeen(world.now(), machine.raises()));
        long counted = MachineStore.LONGEST_PAUSE.toMillis() * (machine.raises() - since.raises());
        long age = world.now() - since.at() + counted + SLACK;
        if (age < keep) {
            throw new Violation(
                    "%s was let go at %s after %d of %d ms"
                            .formatted(key, machine, world.now() - since.at(), keep));
        }
        if (!row.table().equals(AgentTables.MAIL_STATUS)) {
            gone.add(key);
        }
    }

    private static String version(Stored row) {
        return RunnerMachine.key(row) + "@" + row.row().ver();
    }
}
