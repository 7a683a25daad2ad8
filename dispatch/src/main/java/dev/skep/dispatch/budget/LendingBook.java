package dev.skep.dispatch.budget;

import dev.skep.wire.call.BudgetAnswer;
import dev.skep.wire.call.BudgetExchange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a hub lends of the budgets of an org. It does no I/O and has no clock: it is made of
 * what is stored, answers one host, and says what is to be stored before the answer is sent. Times
 * are of the {@link LendingClock}. Not thread-safe.
 */
public final class LendingBook {
    private static final long SOON = 2_000;

    private final Map<String, SharedBudget> budgets = new LinkedHashMap<>();
    private final Map<String, BudgetLease> leases = new TreeMap<>();
    private final Map<String, HostLedger> ledgers = new HashMap<>();
    private final Set<String> enrolled;
    private final Set<String> changed = new LinkedHashSet<>();
    private final Set<String> removed = new LinkedHashSet<>();
    private LenderGate gate;

    /**
     * What is stored.
     *
     * @param enrolled the hosts of which a closed hub waits to hear
     */
    public LendingBook(
            Collection<SharedBudget> budgets,
            Collection<BudgetLease> leases,
            Collection<HostLedger> ledgers,
            LenderGate gate,
            Set<String> enrolled) {
        budgets.forEach(each -> this.budgets.put(each.id(), each));
        leases.forEach(each -> this.leases.put(each.id(), each));
        ledgers.forEach(each -> this.ledgers.put(each.host(), each));
        this.gate = gate;
        this.enrolled = Set.copyOf(enrolled);
    }

    /** The host that asks, and what it is to this hub. */
    public record Caller(String host, Set<String> labels) {}

    public BudgetAnswer answer(
            Caller caller, BudgetExchange told, long now, Supplier<String> newId) {
        forgetWhatIsFree(now);
        noticeLostPast(caller, told, now, newId);
        Map<String, SharedBudget> applying =
                budgets.values().stream()
                        .filter(each -> each.appliesTo(caller.host(), caller.labels()))
                        .collect(
                                Collectors.toMap(
                                        SharedBudget::id,
                                        each -> each,
                                        (a, _) -> a,
                                        LinkedHashMap::new));
        List<String> settled = take(caller, told, now);
        hear(caller, told, now);
        List<BudgetAnswer.Grant> grants = new ArrayList<>();
        List<BudgetAnswer.Refusal> refusals = new ArrayList<>();
        Map<String, Long> rates =
                told.states().stream()
                        .collect(
                                Collectors.toMap(
                                        BudgetExchange.BudgetState::budget,
                                        BudgetExchange.BudgetState::rate,
                                        Math::max));
        for (BudgetExchange.Want want : told.wants()) {
            SharedBudget budget = applying.get(want.budget());
            if (budget == null) {
                refusals.add(
                        new BudgetAnswer.Refusal(
                                want.request(), "it does not apply to this host", SOON));
                continue;
            }
            long rate = rates.getOrDefault(budget.id(), 0L);
            granted(caller, want, budget, rate, now, newId)
                    .ifPresentOrElse(
                            lease -> grants.add(grant(want, lease)),
                            () -> refusals.add(refusal(want, budget, now)));
        }
        return new BudgetAnswer(
                told.sequence(),
                Optional.ofNullable(gate.closing()),
                applying.values().stream().map(each -> lent(each, now)).toList(),
                grants,
                refusals,
                settled);
    }

    private void forgetWhatIsFree(long now) {
        leases.values()
                .removeIf(
                        lease -> {
                            SharedBudget budget = budgets.get(lease.budget());
                            boolean free =
                                    budget == null
                                            || lease.freeIn(now, budget.window().toMillis()) == 0;
                            if (free) {
                                removed.add(lease.id());
                            }
                            return free;
                        });
    }

    /** A host remembers an answer that this hub does not: its database was put back. */
    private void noticeLostPast(
            Caller caller, BudgetExchange told, long now, Supplier<String> newId) {
        HostLedger known = ledgers.get(caller.host());
        boolean lost =
                told.acknowledged() > 0
                        && (known == null
                                || (known.ledger().equals(told.ledger())
                                        && known.sequence() < told.acknowledged()));
        if (lost && !gate.isClosed()) {
            gate =
                    new LenderGate(
                            newId.get(),
                            "host %s remembers more of its leases than this hub"
                                    .formatted(caller.host()),
                            now);
        }
        boolean answers = told.closing().filter(id -> id.equals(gate.closing())).isPresent();
        HostLedger before =
                known == null
                        ? HostLedger.first(caller.host(), told.ledger(), gate.closing(), now)
                        : known;
        ledgers.put(
                caller.host(),
                before.after(
                        told.ledger(), told.sequence(), gate.closing(), answers, now, doubt()));
    }

    /** After so long nothing counts that was lent before. */
    private long doubt() {
        return budgets.values().stream()
                .mapToLong(each -> each.lasts() + each.window().toMillis())
                .max()
                .orElse(0);
    }

    /** Leases that are held or returned; those that this hub has forgotten count from now on. */
    private List<String> take(Caller caller, BudgetExchange told, long now) {
        List<String> settled = new ArrayList<>();
        for (BudgetExchange.LeaseReport report : told.leases()) {
            BudgetLease known = leases.get(report.lease());
            SharedBudget budget = budgets.get(report.budget());
            @Nullable Long back = report.returned() ? Long.valueOf(now) : null;
            if (known != null && known.host().equals(caller.host())) {
                put(known.reported(report.spent(), back));
            } else if (known == null && budget != null && gate.isClosed()) {
                put(
                        new BudgetLease(
                                report.lease(),
                                budget.id(),
                                caller.host(),
                                report.lease(),
                                report.amount(),
                                report.spent(),
                                budget.lasts(),
                                now,
                                back));
            }
            if (report.returned()) {
                settled.add(report.lease());
            }
        }
        return settled;
    }

    /** The first time that a host answers a closing, what it spent before counts too. */
    private void hear(Caller caller, BudgetExchange told, long now) {
        String closing = gate.closing();
        if (closing == null) {
            return;
        }
        if (told.closing().filter(closing::equals).isPresent()) {
            told.states().forEach(state -> countPast(caller, state, now));
        }
        Set<String> all =
                ledgers.values().stream()
                        .filter(each -> closing.equals(each.told()))
                        .map(HostLedger::host)
                        .collect(Collectors.toSet());
        boolean allOver = budgets.values().stream().noneMatch(each -> gate.holdsUp(each, now));
        if (allOver || all.containsAll(enrolled)) {
            gate = LenderGate.OPEN;
        }
    }

    /** Leases for which there was no room in the message. */
    private void countPast(Caller caller, BudgetExchange.BudgetState state, long now) {
        SharedBudget budget = budgets.get(state.budget());
        if (budget != null && state.past() > 0) {
            String id = "past-%s-%s".formatted(budget.id(), caller.host());
            put(
                    new BudgetLease(
                            id,
                            budget.id(),
                            caller.host(),
                            id,
                            0,
                            state.past(),
                            budget.lasts(),
                            now,
                            now));
        }
    }

    private Optional<BudgetLease> granted(
            Caller caller,
            BudgetExchange.Want want,
            SharedBudget budget,
            long rate,
            long now,
            Supplier<String> newId) {
        Optional<BudgetLease> before =
                leases.values().stream()
                        .filter(
                                each ->
                                        each.host().equals(caller.host())
                                                && each.request().equals(want.request()))
                        .findFirst();
        if (before.isPresent()) {
            return before.filter(each -> each.returned() == null);
        }
        if (gate.holdsUp(budget, now)) {
            return Optional.empty();
        }
        long amount =
                LeaseRules.amount(
                        budget.amount(),
                        free(budget, now),
                        want.least(),
                        want.most(),
                        rate,
                        budget.lasts());
        if (amount == 0) {
            return Optional.empty();
        }
        BudgetLease lease =
                new BudgetLease(
                        newId.get(),
                        budget.id(),
                        caller.host(),
                        want.request(),
                        amount,
                        0,
                        budget.lasts(),
                        now,
                        null);
        put(lease);
        return Optional.of(lease);
    }

    private static BudgetAnswer.Grant grant(BudgetExchange.Want want, BudgetLease lease) {
        return new BudgetAnswer.Grant(
                want.request(), lease.id(), lease.budget(), lease.amount(), lease.lasts());
    }

    private BudgetAnswer.Refusal refusal(BudgetExchange.Want want, SharedBudget budget, long now) {
        if (gate.holdsUp(budget, now)) {
            return new BudgetAnswer.Refusal(
                    want.request(),
                    "its hub lends nothing until all hosts have told what they hold, because %s; 'skep budgets open' at the hub ends that"
                            .formatted(gate.why()),
                    SOON);
        }
        return new BudgetAnswer.Refusal(
                want.request(),
                "all of it is spent or lent to hosts",
                Math.max(SOON, freeIn(budget, want.least(), now)));
    }

    private BudgetAnswer.Lent lent(SharedBudget budget, long now) {
        return new BudgetAnswer.Lent(
                budget.id(),
                budget.name(),
                budget.scope() == BudgetScope.AGENT
                        ? Optional.of(budget.subject())
                        : Optional.empty(),
                budget.amount(),
                budget.window().toMillis(),
                Optional.of(free(budget, now)));
    }

    /** What could still be lent. */
    public long free(SharedBudget budget, long now) {
        long counted =
                of(budget).stream()
                        .mapToLong(each -> each.counts(now, budget.window().toMillis()))
                        .sum();
        return Math.max(0, budget.amount() - counted);
    }

    /** In how many milliseconds so much is free, if nobody returns anything before. */
    long freeIn(SharedBudget budget, long micros, long now) {
        long window = budget.window().toMillis();
        long missing = Math.max(1, micros) - free(budget, now);
        List<BudgetLease> soonest =
                of(budget).stream()
                        .sorted(Comparator.comparingLong(each -> each.freeIn(now, window)))
                        .toList();
        for (BudgetLease each : soonest) {
            missing -= each.counts(now, window);
            if (missing <= 0) {
                return each.freeIn(now, window);
            }
        }
        return window;
    }

    /** All that still count of a budget. */
    public List<BudgetLease> of(SharedBudget budget) {
        return leases.values().stream().filter(each -> each.budget().equals(budget.id())).toList();
    }

    private void put(BudgetLease lease) {
        leases.put(lease.id(), lease);
        changed.add(lease.id());
    }

    public LenderGate gate() {
        return gate;
    }

    public Optional<HostLedger> ledger(String host) {
        return Optional.ofNullable(ledgers.get(host));
    }

    /** The leases to be stored. */
    public List<BudgetLease> changed() {
        return changed.stream().map(leases::get).toList();
    }

    /** The leases that nothing depends on any more. */
    public Set<String> removed() {
        return new HashSet<>(removed);
    }

    public List<BudgetLease> leases() {
        return List.copyOf(leases.values());
    }
}
