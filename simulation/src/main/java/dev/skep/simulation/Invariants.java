package dev.skep.simulation;

import static dev.skep.agents.AgentTables.MAIL_MESSAGES;
import static dev.skep.agents.AgentTables.USERS;

import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.simulation.MachineStore.Stored;
import dev.skep.sync.NamedTable;
import dev.skep.sync.SyncSchema;
import dev.skep.wire.Message;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must be true once the trouble is over. The first thing that is not, in words. */
final class Invariants {
    private final Scenario scenario;
    private final Map<Machine, Map<String, Stored>> all = new HashMap<>();

    private Invariants(Scenario scenario) {
        this.scenario = scenario;
        scenario.runners.forEach(runner -> all.put(runner, byKey(runner.store)));
        scenario.hubs.forEach(hub -> all.put(hub, byKey(hub.store)));
    }

    static Optional<String> broken(Scenario scenario) {
        return Optional.ofNullable(new Invariants(scenario).firstBroken());
    }

    private static Map<String, Stored> byKey(MachineStore store) {
        Map<String, Stored> rows = new HashMap<>();
        store.rows().forEach(stored -> rows.put(RunnerMachine.key(stored), stored));
        return rows;
    }

    private Map<String, Stored> at(Machine machine) {
        return all.getOrDefault(machine, Map.of());
    }

    private @Nullable String firstBroken() {
        for (RunnerMachine runner : live()) {
            String broken = firstOf(ownRowsAreEverywhere(runner), heldRowsHaveAnOwner(runner));
            broken = firstOf(broken, nothingOwedIsLost(runner));
            broken = firstOf(broken, firstOf(poisonIsSetAside(runner), namesAreSettled(runner)));
            if (broken != null) {
                return broken;
            }
        }
        for (HubMachine hub : scenario.hubs) {
            String broken = firstOf(hubRowsHaveAnOwner(hub), nothingPurgedIsBack(hub, hub.store));
            broken = firstOf(broken, hubRowsAreForwarded(hub));
            broken = firstOf(broken, takeoversAreDone(hub));
            if (broken != null) {
                return broken;
            }
        }
        return null;
    }

    private static @Nullable String firstOf(@Nullable String a, @Nullable String b) {
        return a != null ? a : b;
    }

    private @Nullable String ownRowsAreEverywhere(RunnerMachine owner) {
        for (Map.Entry<String, Stored> own : at(owner).entrySet()) {
            Stored row = own.getValue();
            if (!owner.isOwn(row) || isPoison(row) || isPastAnyHorizon(row)) {
                continue;
            }
            for (HubMachine hub : scenario.hubs) {
                String broken = same(own.getKey(), row, owner, hub);
                if (broken != null) {
                    return broken;
                }
            }
            for (RunnerMachine other : live()) {
                boolean reached =
                        other != owner
                                && row.table().isForwarded()
                                && other.self.org().equals(owner.self.org());
                String broken = reached ? same(own.getKey(), row, owner, other) : null;
                if (broken != null) {
                    return broken;
                }
            }
        }
        return null;
    }

    private @Nullable String same(String key, Stored row, Machine owner, Machine holder) {
        Stored held = at(holder).get(key);
        if (held == null) {
            return "%s of %s is missing at %s".formatted(key, owner, holder);
        }
        SyncRow a = row.row();
        SyncRow b = held.row();
        boolean equal =
                a.ver() == b.ver()
                        && a.gen() == b.gen()
                        && a.hostId().equals(b.hostId())
                        && Arrays.equals(a.values(), b.values());
        boolean lost = b.gen() > a.gen() && isLostTakeover(owner(held), held);
        return equal || lost ? null : "%s of %s differs at %s".formatted(key, owner, holder);
    }

    /** Replicas are of the own org, nobody lied, and their owners still have them. */
    private @Nullable String heldRowsHaveAnOwner(RunnerMachine runner) {
        for (Map.Entry<String, Stored> held : at(runner).entrySet()) {
            Stored row = held.getValue();
            RunnerMachine owner = owner(row);
            if (!owner.self.org().equals(runner.self.org())) {
                return "%s of another org is at %s".formatted(held.getKey(), runner);
            }
            if (isForged(row)) {
                return "%s at %s is a lie".formatted(held.getKey(), runner);
            }
            if (owner != runner
                    && !owner.isGone()
                    && !isPastAnyHorizon(row)
                    && !isLostTakeover(owner, row)
                    && !at(owner).containsKey(held.getKey())) {
                return "%s at %s is one its owner %s lacks".formatted(held.getKey(), runner, owner);
            }
        }
        return nothingPurgedIsBack(runner, runner.store);
    }

    /**
     * Published as a non-promise: the new owner of an agent is restored from a backup or dies, and
     * a hub loses the grant as well. An operator grants the agent again.
     */
    private boolean isLostTakeover(RunnerMachine owner, Stored row) {
        // A host that the takeover never reached has the old owner's row, who knows it lost it.
        Stored known = at(owner).get(RunnerMachine.key(row));
        if (known != null && known.row().gen() > row.row().gen() && !owner.isOwn(known)) {
            return isLostTakeover(owner(known), known);
        }
        return row.row().gen() > 0
                && (owner.wasRestored() || owner.isGone())
                && scenario.hubs.stream().anyMatch(HubMachine::wasLost);
    }

    private @Nullable String hubRowsHaveAnOwner(HubMachine hub) {
        for (Map.Entry<String, Stored> held : at(hub).entrySet()) {
            Stored row = held.getValue();
            if (isForged(row)) {
                return "%s at %s is a lie".formatted(held.getKey(), hub);
            }
            if (!row.org().equals(owner(row).self.org())) {
                return "%s at %s is in the wrong org".formatted(held.getKey(), hub);
            }
            boolean kept = owner(row).isGone() || at(owner(row)).containsKey(held.getKey());
            if (!isPastAnyHorizon(row) && !kept) {
                return "%s is at %s and lost at its owner".formatted(held.getKey(), hub);
            }
        }
        return null;
    }

    private @Nullable String nothingOwedIsLost(RunnerMachine runner) {
        for (Map.Entry<String, Set<HubMachine>> owed : runner.owed.entrySet()) {
            boolean lost = !owed.getValue().isEmpty() && !at(runner).containsKey(owed.getKey());
            if (lost && !mayBePurged(owed.getKey())) {
                return "%s, which a hub held, is lost at %s".formatted(owed.getKey(), runner);
            }
        }
        return null;
    }

    private boolean mayBePurged(String key) {
        return all.keySet().stream().anyMatch(machine -> horizon(machine, tableOf(key)) > 0);
    }

    private static SyncTable tableOf(String key) {
        return Samples.NEW.tables().named(key.substring(0, key.indexOf('/'))).orElseThrow();
    }

    private @Nullable String nothingPurgedIsBack(Machine machine, MachineStore store) {
        for (Stored row : store.rows(MAIL_MESSAGES)) {
            boolean own = machine instanceof RunnerMachine runner && runner.isOwn(row);
            if (!own && SyncSchema.bornAt(row.table(), row.row()) < horizon(machine, row.table())) {
                return "%s was purged and is back at %s".formatted(row.row().text(0), machine);
            }
        }
        return null;
    }

    private @Nullable String poisonIsSetAside(RunnerMachine owner) {
        for (Map.Entry<String, Stored> own : at(owner).entrySet()) {
            if (!owner.isOwn(own.getValue()) || !isPoison(own.getValue())) {
                continue;
            }
            String id = own.getValue().row().text(0);
            for (HubMachine hub : scenario.hubs) {
                if (!hub.store.isSetAside(MAIL_MESSAGES, id, false)) {
                    return "%s is not in the quarantine of %s".formatted(own.getKey(), hub);
                }
            }
            if (!owner.store.isSetAside(MAIL_MESSAGES, id, true)) {
                return "%s was not told about %s".formatted(owner, own.getKey());
            }
        }
        return null;
    }

    /** Of the rows of a name at most one is unmarked, and one that is alone is not marked. */
    @SuppressWarnings("ReferenceEquality") // the very row, not one like it
    private @Nullable String namesAreSettled(RunnerMachine runner) {
        boolean stale = hasStaleNames();
        for (NamedTable named : runner.schema().named()) {
            List<Stored> rows = runner.store.rows(named.table());
            for (Stored own : rows) {
                if (runner.isOwn(own) && named.isLive(own.row())) {
                    String name = named.nameOf(own.row());
                    boolean alone =
                            !stale && rows.stream().noneMatch(o -> o != own && has(named, name, o));
                    List<String> winners =
                            rows.stream()
                                    .filter(o -> isWinner(named, name, o))
                                    .map(o -> o.row().text(0) + " of " + owner(o))
                                    .toList();
                    if (winners.size() > 1 || (alone && named.isMarked(own.row()))) {
                        return "%s '%s' at %s: alone=%s, unmarked %s"
                                .formatted(named.label(), name, runner, alone, winners);
                    }
                }
            }
        }
        return null;
    }

    /**
     * Published as a non-promise: the last writes of a dead host may be on one hub and not on
     * another, which then knows an old name of it and tells others that this name is taken. So does
     * a hub that a takeover never reached before it was lost.
     */
    static boolean hasStaleNames(Scenario scenario) {
        return new Invariants(scenario).hasStaleNames();
    }

    private boolean hasStaleNames() {
        return scenario.runners.stream().anyMatch(RunnerMachine::isGone)
                || live().stream()
                        .flatMap(runner -> runner.store.rows(USERS).stream())
                        .anyMatch(row -> isLostTakeover(owner(row), row));
    }

    private static boolean has(NamedTable named, String name, Stored row) {
        return named.isLive(row.row()) && named.nameOf(row.row()).equals(name);
    }

    /** A dead host cannot mark what it has lost. */
    private boolean isWinner(NamedTable named, String name, Stored row) {
        RunnerMachine owner = owner(row);
        return has(named, name, row)
                && !named.isMarked(row.row())
                && !owner.isGone()
                && !isLostTakeover(owner, row);
    }

    /** Also what a dead host left: a hub that has it has sent it to everyone. */
    private @Nullable String hubRowsAreForwarded(HubMachine hub) {
        for (Map.Entry<String, Stored> held : at(hub).entrySet()) {
            Stored row = held.getValue();
            if (!row.table().isForwarded() || isPastAnyHorizon(row)) {
                continue;
            }
            for (RunnerMachine runner : live()) {
                Stored there = at(runner).get(held.getKey());
                boolean newer = there != null && rank(there.row(), row.row()) >= 0;
                if (!newer && runner.self.org().equals(row.org()) && !isPast(runner, row.row())) {
                    return "%s at %s did not get to %s".formatted(held.getKey(), hub, runner);
                }
            }
        }
        return null;
    }

    /** Whoever was given an agent and knows it has it, and the hub knows that. */
    private @Nullable String takeoversAreDone(HubMachine hub) {
        for (RunnerMachine runner : live()) {
            for (Message.Grant grant :
                    hub.store.read(db -> db.pendingGrants(runner.self.org(), runner.self.id()))) {
                if (at(runner).containsKey(USERS.name() + "/" + grant.userId())) {
                    return "%s was given %s on %s and did not take it"
                            .formatted(runner, grant.userId(), hub);
                }
            }
        }
        return null;
    }

    private static int rank(SyncRow a, SyncRow b) {
        return a.gen() != b.gen() ? Long.compare(a.gen(), b.gen()) : Long.compare(a.ver(), b.ver());
    }

    private static boolean isPast(RunnerMachine runner, SyncRow row) {
        long healed = runner.store.read(db -> db.healedEpoch(row.hostId()));
        return row.gen() == 0 && Position.epoch(row.ver()) < healed;
    }

    private List<RunnerMachine> live() {
        return scenario.runners.stream().filter(runner -> !runner.isGone()).toList();
    }

    private RunnerMachine owner(Stored row) {
        return scenario.runners.stream()
                .filter(runner -> runner.isOwn(row))
                .findFirst()
                .orElseThrow(() -> new Violation("a row of nobody"));
    }

    /** Born before a horizon that somebody once had: it may be anywhere or nowhere. */
    private boolean isPastAnyHorizon(Stored row) {
        for (RunnerMachine runner : scenario.runners) {
            Long horizon = runner.horizons.get(row.table().name());
            if (horizon != null && SyncSchema.bornAt(row.table(), row.row()) < horizon) {
                return true;
            }
        }
        return false;
    }

    private static long horizon(Machine machine, SyncTable table) {
        MachineStore store =
                switch (machine) {
                    case RunnerMachine runner -> runner.store;
                    case HubMachine hub -> hub.store;
                    default -> throw new IllegalStateException();
                };
        return store.horizonOf(table);
    }

    private static boolean isPoison(Stored row) {
        return row.table().name().equals(MAIL_MESSAGES.name())
                && Samples.POISON.equals(row.row().value(MAIL_MESSAGES.indexOf("body")));
    }

    private static boolean isForged(Stored row) {
        return row.table().name().equals(USERS.name())
                && Samples.FORGED.equals(row.row().value(USERS.indexOf("title")));
    }
}
