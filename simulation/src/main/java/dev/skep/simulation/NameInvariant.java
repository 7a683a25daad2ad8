package dev.skep.simulation;

import static dev.skep.agents.AgentTables.USERS;

import dev.skep.simulation.MachineStore.Stored;
import dev.skep.sync.NamedTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that hosts of an org agree on who holds a name. */
final class NameInvariant {
    private final Scenario scenario;
    private final LostTakeovers lost;

    NameInvariant(Scenario scenario, LostTakeovers lost) {
        this.scenario = scenario;
        this.lost = lost;
    }

    /** Of the rows of a name at most one is unmarked, and one that is alone is not marked. */
    @SuppressWarnings("ReferenceEquality") // the very row, not one like it
    @Nullable String broken(RunnerMachine runner) {
        boolean stale = isAnyStale();
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
                                    .map(o -> o.row().text(0) + " of " + scenario.owner(o))
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
     * another, which then has an old name of it and reports to others that this name is taken. So
     * does a hub that a takeover never reached before it was lost.
     */
    boolean isAnyStale() {
        // All of them, whatever order a database gives rows in: operators act on each.
        List<Stored> forgotten =
                scenario.runners.stream()
                        .filter(runner -> !runner.isGone())
                        .flatMap(runner -> runner.store.rows(USERS).stream())
                        .filter(row -> lost.isLost(scenario.owner(row), row))
                        .toList();
        return !forgotten.isEmpty() || scenario.runners.stream().anyMatch(RunnerMachine::isGone);
    }

    private static boolean has(NamedTable named, String name, Stored row) {
        return named.isLive(row.row()) && named.nameOf(row.row()).equals(name);
    }

    /** A dead host cannot mark what it has lost. */
    private boolean isWinner(NamedTable named, String name, Stored row) {
        RunnerMachine owner = scenario.owner(row);
        return has(named, name, row)
                && !named.isMarked(row.row())
                && !owner.isGone()
                && !lost.isLost(owner, row);
    }
}
