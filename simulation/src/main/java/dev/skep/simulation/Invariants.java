package dev.skep.simulation;

import static dev.skep.agents.AgentTables.MAIL_MESSAGES;
import static dev.skep.agents.AgentTables.USERS;

import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.SyncRow;
import dev.skep.simulation.MachineStore.Stored;
import dev.skep.sync.QuarantinedRow.Reason;
import dev.skep.sync.RetentionFloors;
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
    private final Map<SimulatedMachine, Map<String, Stored>> all = new HashMap<>();
    private final LostTakeovers lost;
    private final NameInvariant names;

    Invariants(Scenario scenario) {
        this.scenario = scenario;
        this.lost = new LostTakeovers(scenario, all);
        this.names = new NameInvariant(scenario, lost);
        scenario.runners.forEach(runner -> all.put(runner, byKey(runner.store)));
        scenario.hubs.forEach(hub -> all.put(hub, byKey(hub.store)));
    }

    Optional<String> broken() {
        return Optional.ofNullable(firstBroken());
    }

    /** What was excused until operators act on it. */
    LostTakeovers lost() {
        return lost;
    }

    /** Whether names may be marked wrongly because of a host or takeover that was lost. */
    boolean hasStaleNames() {
        return names.isAnyStale();
    }

    private static Map<String, Stored> byKey(MachineStore store) {
        Map<String, Stored> rows = new HashMap<>();
        store.rows().forEach(stored -> rows.put(RunnerMachine.key(stored), stored));
        return rows;
    }

    private Map<String, Stored> at(SimulatedMachine machine) {
        return all.getOrDefault(machine, Map.of());
    }

    private @Nullable String firstBroken() {
        for (RunnerMachine runner : live()) {
            String broken = firstOf(ownRowsAreEverywhere(runner), heldRowsHaveAnOwner(runner));
            broken = firstOf(broken, firstOf(nothingOwedIsLost(runner), floorsHold(runner)));
            broken = firstOf(broken, firstOf(poisonIsSetAside(runner), names.broken(runner)));
            if (broken != null) {
                return broken;
            }
        }
        for (HubMachine hub : scenario.hubs) {
            String broken = firstOf(hubRowsHaveAnOwner(hub), hubRowsAreForwarded(hub));
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
            if (!owner.isOwn(row) || isPoison(row)) {
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

    private @Nullable String same(
            String key, Stored row, SimulatedMachine owner, SimulatedMachine holder) {
        Stored held = at(holder).get(key);
        boolean old = held == null && mayLack(holder, key);
        if (old) {
            return null;
        }
        if (held == null) {
            return lost.isOfAnOwnerBetween(row, holder) || lost.waits(row, owner, holder)
                    ? null
                    : "%s of %s is missing at %s".formatted(key, owner, holder);
        }
        SyncRow a = row.row();
        SyncRow b = held.row();
        boolean equal =
                a.ver() == b.ver()
                        && a.gen() == b.gen()
                        && a.hostId().equals(b.hostId())
                        && Arrays.equals(a.values(), b.values());
        boolean excused =
                !equal
                        && (b.gen() > a.gen()
                                ? outlivedItsHubs(key, held)
                                        || lost.isLost(scenario.owner(held), held)
                                        || lost.isOfAnOwnerBetween(held, owner)
                                : lost.isOfAnOwnerBetween(row, holder)
                                        || isOfAnEarlierStamp(key, row, held));
        return equal || excused ? null : "%s of %s differs at %s".formatted(key, owner, holder);
    }

    /** Replicas are of the own org, none is forged, and their owners still have them. */
    private @Nullable String heldRowsHaveAnOwner(RunnerMachine runner) {
        for (Map.Entry<String, Stored> held : at(runner).entrySet()) {
            Stored row = held.getValue();
            RunnerMachine owner = scenario.owner(row);
            if (!owner.self.org().equals(runner.self.org())) {
                return "%s of another org is at %s".formatted(held.getKey(), runner);
            }
            if (isForged(row)) {
                return "%s at %s is a lie".formatted(held.getKey(), runner);
            }
            if (owner != runner
                    && !owner.isGone()
                    && !owner.purgeOracle.letGo(held.getKey())
                    && !isBelowFloor(owner, row)
                    && !outlivedItsHubs(held.getKey(), row)
                    && !at(owner).containsKey(held.getKey())
                    && !lost.isLost(owner, row)) {
                return "%s at %s is one its owner %s lacks".formatted(held.getKey(), runner, owner);
            }
        }
        return null;
    }

    /** Counts as purged by its owner: other hosts keep it until it is old there as well. */
    private static boolean isBelowFloor(RunnerMachine owner, Stored row) {
        RetentionFloors floors = owner.store.read(db -> db.floors(owner.self.id().value()));
        return row.row().ver() <= floors.of(row.table());
    }

    private @Nullable String hubRowsHaveAnOwner(HubMachine hub) {
        for (Map.Entry<String, Stored> held : at(hub).entrySet()) {
            Stored row = held.getValue();
            if (isForged(row)) {
                return "%s at %s is a lie".formatted(held.getKey(), hub);
            }
            if (!row.org().equals(scenario.owner(row).self.org())) {
                return "%s at %s is in the wrong org".formatted(held.getKey(), hub);
            }
            boolean kept =
                    scenario.owner(row).isGone()
                            || at(scenario.owner(row)).containsKey(held.getKey());
            if (!scenario.owner(row).purgeOracle.letGo(held.getKey()) && !kept) {
                return "%s is at %s and lost at its owner".formatted(held.getKey(), hub);
            }
        }
        return null;
    }

    private @Nullable String nothingOwedIsLost(RunnerMachine runner) {
        for (Map.Entry<String, Set<HubMachine>> owed : runner.owed.entrySet()) {
            boolean lost = !owed.getValue().isEmpty() && !at(runner).containsKey(owed.getKey());
            boolean old =
                    runner.purgeOracle.letGo(owed.getKey())
                            || owed.getValue().stream()
                                    .allMatch(hub -> hub.purgeOracle.letGo(owed.getKey()));
            if (lost && !old) {
                return "%s, which a hub held, is lost at %s".formatted(owed.getKey(), runner);
            }
        }
        return null;
    }

    /** Own rows stand above the floors, and what was let go is neither back nor called lost. */
    private @Nullable String floorsHold(RunnerMachine owner) {
        RetentionFloors floors = owner.store.read(db -> db.floors(owner.self.id().value()));
        for (Map.Entry<String, Stored> own : at(owner).entrySet()) {
            Stored row = own.getValue();
            if (owner.isOwn(row) && row.row().ver() <= floors.of(row.table())) {
                return "%s at %s is below its floor".formatted(own.getKey(), owner);
            }
        }
        for (Map.Entry<String, Stored> went : owner.letGo.entrySet()) {
            String key = went.getKey();
            if (at(owner).containsKey(key)) {
                return "%s was let go and is back at %s".formatted(key, owner);
            }
            for (RunnerMachine other : live()) {
                if (other != owner
                        && other.store.isQuarantined(went.getValue(), Reason.LOST_TIMELINE)) {
                    return "%s was let go by %s and is lost for %s".formatted(key, owner, other);
                }
            }
        }
        return null;
    }

    /**
     * Written for an adopted agent, and lost by its owner and by every hub: such rows are not set
     * aside, and stay until they are old, or a host that has the agent writes them anew.
     */
    private boolean outlivedItsHubs(String key, Stored row) {
        RunnerMachine owner = scenario.owner(row);
        return row.row().gen() > 0
                && !row.table().equals(USERS)
                && (owner.wasRestored() || owner.isGone())
                && scenario.hubs.stream()
                        .anyMatch(hub -> hub.lost(key) || hub.purgeOracle.letGo(key))
                && scenario.hubs.stream().noneMatch(hub -> hasGeneration(hub, key, row));
    }

    private boolean hasGeneration(SimulatedMachine machine, String key, Stored row) {
        Stored held = at(machine).get(key);
        return held != null && held.row().gen() >= row.row().gen();
    }

    /**
     * The same row of the same owner, which has stamped it again since, and every hub let it go
     * before this one, back from a backup, could hear of that.
     */
    private boolean isOfAnEarlierStamp(String key, Stored row, Stored held) {
        return held.row().ver() < row.row().ver()
                && held.row().gen() == row.row().gen()
                && held.row().hostId().equals(row.row().hostId())
                && Arrays.equals(held.row().values(), row.row().values())
                && scenario.hubs.stream().noneMatch(hub -> at(hub).containsKey(key));
    }

    /** Whether a row was let go for its age where it is missing, or before it could get there. */
    private boolean mayLack(SimulatedMachine holder, String key) {
        return switch (holder) {
            case HubMachine hub -> hub.purgeOracle.letGo(key);
            case RunnerMachine runner ->
                    runner.purgeOracle.letGo(key)
                            || scenario.hubs.stream().allMatch(hub -> didNotKeep(hub, key));
            default -> throw new IllegalStateException();
        };
    }

    /** A hub that let a row go may have it again from a backup, and think that all know it. */
    private boolean didNotKeep(HubMachine hub, String key) {
        return !at(hub).containsKey(key) || hub.purgeOracle.letGo(key);
    }

    private @Nullable String poisonIsSetAside(RunnerMachine owner) {
        for (Map.Entry<String, Stored> own : at(owner).entrySet()) {
            if (!owner.isOwn(own.getValue()) || !isPoison(own.getValue())) {
                continue;
            }
            String id = own.getValue().row().text(0);
            for (HubMachine hub : scenario.hubs) {
                if (!hub.store.isQuarantined(MAIL_MESSAGES, id, false)) {
                    return "%s is not in the quarantine of %s".formatted(own.getKey(), hub);
                }
            }
            if (!owner.store.isQuarantined(MAIL_MESSAGES, id, true)) {
                return "%s was not notified of %s".formatted(owner, own.getKey());
            }
        }
        return null;
    }

    /** Also what a dead host left: a hub that has it has sent it to everyone. */
    private @Nullable String hubRowsAreForwarded(HubMachine hub) {
        for (Map.Entry<String, Stored> held : at(hub).entrySet()) {
            Stored row = held.getValue();
            if (!row.table().isForwarded()) {
                continue;
            }
            for (RunnerMachine runner : live()) {
                Stored there = at(runner).get(held.getKey());
                boolean newer = there != null && rank(there.row(), row.row()) >= 0;
                boolean old = there == null && mayLack(runner, held.getKey());
                if (!newer
                        && !old
                        && runner.self.org().equals(row.org())
                        && !isPast(runner, row.row())
                        && !lost.isOfAnOwnerBetween(row, runner)) {
                    return "%s at %s did not get to %s".formatted(held.getKey(), hub, runner);
                }
            }
        }
        return null;
    }

    /** A host that was given an agent and knows it has the agent, and the hub knows that. */
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

    private static boolean isPoison(Stored row) {
        return row.table().name().equals(MAIL_MESSAGES.name())
                && Samples.POISON.equals(row.row().value(MAIL_MESSAGES.indexOf("body")));
    }

    private static boolean isForged(Stored row) {
        return switch (row.table().name()) {
            case "users" -> Samples.FORGED.equals(row.row().value(USERS.indexOf("title")));
            case "mail_messages" ->
                    Samples.FORGED.equals(row.row().value(MAIL_MESSAGES.indexOf("body")));
            default -> false;
        };
    }
}
