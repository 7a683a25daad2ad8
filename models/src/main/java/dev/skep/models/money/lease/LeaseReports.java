package dev.skep.models.money.lease;

import dev.skep.models.money.lease.HeldLease.State;
import dev.skep.wire.call.BudgetExchange;
import dev.skep.wire.call.BudgetExchange.LeaseReport;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * What a host tells a hub of the leases that it has of it.
 *
 * @param leases one by one
 * @param rest those for which there was no room
 */
record LeaseReports(List<LeaseReport> leases, List<HeldLease> rest) {
    /** Those that are settled only where the hub has closed itself: it may have forgotten them. */
    static LeaseReports of(String hub, Collection<HeldLease> leases, boolean withSettled) {
        List<HeldLease> all =
                leases.stream()
                        .filter(each -> each.key().hub().equals(hub))
                        .filter(each -> withSettled || each.state() != State.SETTLED)
                        .sorted(Comparator.comparing(each -> each.state() == State.SETTLED))
                        .toList();
        int room = Math.min(all.size(), BudgetExchange.MOST);
        return new LeaseReports(
                all.subList(0, room).stream().map(LeaseReports::report).toList(),
                all.subList(room, all.size()));
    }

    private static LeaseReport report(HeldLease lease) {
        return new LeaseReport(
                lease.id(),
                lease.key().budget(),
                lease.amount(),
                lease.spent(),
                lease.state() == State.CLOSED || lease.state() == State.SETTLED);
    }

    /** What was spent of a budget by leases that are not named. */
    long past(BudgetKey key) {
        return rest.stream()
                .filter(each -> each.key().equals(key))
                .mapToLong(HeldLease::spent)
                .sum();
    }
}
