package dev.skep.dispatch.budget;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * How the budgets of an org stand.
 *
 * @param closed why nothing is lent at the moment; empty where all is well
 */
public record BudgetReport(Optional<String> closed, List<Standing> budgets) {

    /** A host's part in a budget. */
    public record Share(String host, long spent, long lent, long perHour) {}

    /**
     * One budget.
     *
     * @param spent within the window, as the hosts have reported it
     * @param lent what hosts hold and have not spent
     * @param free what can still be lent
     * @param perHour what is spent in an hour at the moment
     * @param reached in how long all is spent at that rate, if old spending did not leave the
     *     window
     * @param exhausted whether a call waits for more than is free
     * @param unheard the hosts that have not yet heard of it, whose spending it does not limit
     */
    public record Standing(
            SharedBudget budget,
            long spent,
            long lent,
            long free,
            long perHour,
            Optional<Duration> reached,
            boolean exhausted,
            List<Share> hosts,
            List<String> unheard) {

        /** How much of it is spent. */
        public long percent() {
            return budget.amount() == 0 ? 100 : spent * 100 / budget.amount();
        }
    }

    static BudgetReport of(
            LendingBook book,
            List<SharedBudget> budgets,
            List<LendingStore.Rate> rates,
            long now,
            Set<String> enrolled,
            Function<String, Optional<SharedBudgetStore.Refused>> refused) {
        List<Standing> standings = new ArrayList<>();
        for (SharedBudget each : budgets) {
            standings.add(standing(book, each, rates, now, enrolled, refused.apply(each.id())));
        }
        Optional<String> closed =
                book.gate().isClosed() ? Optional.of(book.gate().why()) : Optional.empty();
        return new BudgetReport(closed, standings);
    }

    private static Standing standing(
            LendingBook book,
            SharedBudget budget,
            List<LendingStore.Rate> rates,
            long now,
            Set<String> enrolled,
            Optional<SharedBudgetStore.Refused> refused) {
        long window = budget.window().toMillis();
        List<BudgetLease> leases =
                book.of(budget).stream().filter(each -> each.freeIn(now, window) > 0).toList();
        List<LendingStore.Rate> ofBudget =
                rates.stream().filter(each -> each.budget().equals(budget.id())).toList();
        Set<String> hosts = new TreeSet<>();
        leases.forEach(each -> hosts.add(each.host()));
        ofBudget.forEach(each -> hosts.add(each.host()));
        List<Share> shares =
                hosts.stream().map(host -> share(host, leases, ofBudget, now)).toList();
        long spent = shares.stream().mapToLong(Share::spent).sum();
        long perHour = shares.stream().mapToLong(Share::perHour).sum();
        long free = book.free(budget, now);
        return new Standing(
                budget,
                spent,
                shares.stream().mapToLong(Share::lent).sum(),
                free,
                perHour,
                reached(budget.amount() - spent, perHour, budget.window()),
                refused.filter(each -> now - each.age() < window && free < each.least())
                        .isPresent(),
                shares,
                unheard(budget, ofBudget, enrolled));
    }

    private static Share share(
            String host, List<BudgetLease> leases, List<LendingStore.Rate> rates, long now) {
        long spent = 0;
        long lent = 0;
        for (BudgetLease each : leases) {
            if (each.host().equals(host)) {
                spent += each.spent();
                lent += each.returned() == null ? Math.max(0, each.amount() - each.spent()) : 0;
            }
        }
        long perHour =
                rates.stream()
                        .filter(each -> each.host().equals(host))
                        .filter(each -> now - each.age() < BudgetLender.RATE_COUNTS.toMillis())
                        .mapToLong(LendingStore.Rate::perHour)
                        .sum();
        return new Share(host, spent, lent, perHour);
    }

    /** Later than a window from now the spending of today does not count any more. */
    static Optional<Duration> reached(long left, long perHour, Duration window) {
        if (left <= 0) {
            return Optional.of(Duration.ZERO);
        }
        if (perHour <= 0) {
            return Optional.empty();
        }
        double hours = (double) left / perHour;
        Duration in = Duration.ofSeconds((long) Math.min(hours * 3_600, 1e9));
        return in.compareTo(window) < 0 ? Optional.of(in) : Optional.empty();
    }

    private static List<String> unheard(
            SharedBudget budget, List<LendingStore.Rate> heard, Set<String> enrolled) {
        if (budget.scope() == BudgetScope.HOST || budget.scope() == BudgetScope.LABEL) {
            boolean none = heard.isEmpty() && budget.scope() == BudgetScope.HOST;
            return none ? List.of(budget.subject()) : List.of();
        }
        Set<String> missing = new TreeSet<>(enrolled);
        heard.forEach(each -> missing.remove(each.host()));
        return List.copyOf(missing);
    }
}
