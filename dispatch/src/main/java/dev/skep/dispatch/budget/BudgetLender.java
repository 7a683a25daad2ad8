package dev.skep.dispatch.budget;

import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.clock.ClockReading;
import dev.skep.transport.route.Json;
import dev.skep.wire.call.BudgetAnswer;
import dev.skep.wire.call.BudgetExchange;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lends money to hosts; what it answers is stored first. Thread-safe. */
public final class BudgetLender implements Component {
    private static final Duration KEPT_EVERY = Duration.ofSeconds(30);

    /** A rate that was not repeated for so long tells nothing any more. */
    static final Duration RATE_COUNTS = Duration.ofMinutes(15);

    private final Database database;
    private final SharedBudgetStore budgets;
    private final LendingStore store = new LendingStore();
    private final UlidSource ids;
    private final Supplier<ClockReading> machine;
    private final PeriodicTask keeping = new PeriodicTask("lending-clock", KEPT_EVERY, this::keep);

    /** How far this process has come. */
    private volatile @Nullable LendingClock mine;

    public BudgetLender(
            Database database,
            SharedBudgetStore budgets,
            UlidSource ids,
            Supplier<ClockReading> machine) {
        this.database = database;
        this.budgets = budgets;
        this.ids = ids;
        this.machine = machine;
    }

    /** Answers a host. */
    public BudgetAnswer exchange(Principal.Host host, BudgetExchange told) {
        return quiet(host, told)
                .orElseGet(() -> database.write(transaction -> answer(transaction, host, told)));
    }

    /** A host that holds nothing and wants nothing hears which budgets apply; nothing is stored. */
    private Optional<BudgetAnswer> quiet(Principal.Host host, BudgetExchange told) {
        if (!told.leases().isEmpty() || !told.wants().isEmpty() || told.closing().isPresent()) {
            return Optional.empty();
        }
        return database.read(
                snapshot -> {
                    OrgId org = host.org();
                    boolean known =
                            store.ledgers(snapshot, org).stream()
                                    .anyMatch(
                                            each ->
                                                    each.host().equals(host.id().value())
                                                            && each.ledger().equals(told.ledger())
                                                            && each.sequence() >= told.sequence());
                    List<SharedBudget> all = budgets.all(snapshot, org);
                    boolean open = !store.gate(snapshot, org, 0, "").isClosed();
                    Set<String> heard = new HashSet<>();
                    told.states().forEach(state -> heard.add(state.budget()));
                    Set<String> labels = labels(snapshot, host);
                    List<SharedBudget> applying =
                            all.stream()
                                    .filter(each -> each.appliesTo(host.id().value(), labels))
                                    .toList();
                    boolean same =
                            applying.stream().allMatch(each -> heard.contains(each.id()))
                                    && applying.size() == heard.size();
                    if (!known || !open || !same) {
                        return Optional.empty();
                    }
                    return Optional.of(
                            new BudgetAnswer(
                                    told.sequence(),
                                    Optional.empty(),
                                    applying.stream().map(BudgetLender::lent).toList(),
                                    List.of(),
                                    List.of(),
                                    List.of()));
                });
    }

    private static BudgetAnswer.Lent lent(SharedBudget budget) {
        return new BudgetAnswer.Lent(
                budget.id(),
                budget.name(),
                budget.scope() == BudgetScope.AGENT
                        ? Optional.of(budget.subject())
                        : Optional.empty(),
                budget.amount(),
                budget.window().toMillis(),
                Optional.empty());
    }

    private Set<String> labels(Snapshot snapshot, Principal.Host host) {
        String stored = store.labels(snapshot, host.org(), host.id().value());
        Set<String> labels = new HashSet<>();
        if (stored != null) {
            Json.fields(stored)
                    .texts()
                    .forEach((name, value) -> labels.add("%s:%s".formatted(name, value)));
        }
        return labels;
    }

    private BudgetAnswer answer(Transaction transaction, Principal.Host host, BudgetExchange told) {
        long now = move(transaction);
        OrgId org = host.org();
        LendingBook book = book(transaction, org, now);
        LenderGate before = book.gate();
        LendingBook.Caller caller =
                new LendingBook.Caller(host.id().value(), labels(transaction, host));
        BudgetAnswer answer = book.answer(caller, told, now, ids::next);
        store.remove(transaction, org, book.removed());
        book.changed().forEach(lease -> store.put(transaction, org, lease));
        book.ledger(caller.host()).ifPresent(ledger -> store.put(transaction, org, ledger));
        if (!before.equals(book.gate()) || before.isClosed()) {
            store.put(transaction, org, book.gate());
        }
        for (BudgetAnswer.Lent each : answer.budgets()) {
            long rate =
                    told.states().stream()
                            .filter(state -> state.budget().equals(each.id()))
                            .mapToLong(BudgetExchange.BudgetState::rate)
                            .findFirst()
                            .orElse(0);
            store.put(transaction, org, new LendingStore.Rate(each.id(), caller.host(), rate, now));
        }
        for (BudgetExchange.Want want : told.wants()) {
            boolean refused =
                    answer.refusals().stream()
                            .anyMatch(each -> each.request().equals(want.request()));
            if (refused && want.least() > 0 && !book.gate().isClosed()) {
                budgets.refused(transaction, org, want.budget(), now, want.least());
            }
        }
        return answer;
    }

    private LendingBook book(Snapshot snapshot, OrgId org, long now) {
        return new LendingBook(
                budgets.all(snapshot, org),
                store.leases(snapshot, org),
                store.ledgers(snapshot, org),
                store.gate(snapshot, org, now, ids.next()),
                store.enrolled(snapshot, org));
    }

    /** Counts the time and stores it. */
    private long move(Transaction transaction) {
        LendingClock stored = store.locked(transaction);
        ClockReading now = machine.get();
        LendingClock before = mine;
        if (before == null) {
            before = stored == null ? new LendingClock(0, now) : stored;
        }
        LendingClock moved = before.at(now).orFurther(stored == null ? 0 : stored.age());
        store.put(transaction, moved);
        mine = moved;
        return moved.age();
    }

    private void keep() {
        long _ = database.write(this::move);
    }

    /** How the budgets of an org stand. */
    public BudgetReport report(Principal who) {
        return database.read(snapshot -> report(snapshot, who.org()));
    }

    /** The same in a snapshot that the caller has. */
    public BudgetReport report(Snapshot snapshot, OrgId org) {
        long now = now(snapshot);
        return BudgetReport.of(
                book(snapshot, org, now),
                budgets.all(snapshot, org),
                store.rates(snapshot, org),
                now,
                store.enrolled(snapshot, org),
                id -> budgets.refused(snapshot, org, id));
    }

    private long now(Snapshot snapshot) {
        LendingClock here = mine;
        LendingClock base = here == null ? store.clock(snapshot).orElse(null) : here;
        return base == null ? 0 : base.at(machine.get()).age();
    }

    /** An operator knows that no host holds what this hub has forgotten. */
    public boolean open(Transaction transaction, OrgId org) {
        long now = move(transaction);
        boolean wasClosed = store.gate(transaction, org, now, "").isClosed();
        store.put(transaction, org, LenderGate.OPEN);
        return wasClosed;
    }

    /** The first budget of an org needs nobody's word: nothing was ever lent. */
    void begins(Transaction transaction, OrgId org) {
        if (budgets.all(transaction, org).isEmpty()) {
            store.put(transaction, org, LenderGate.OPEN);
        }
    }

    @Override
    public void start() {
        keeping.start();
    }

    @Override
    public void close() {
        keeping.close();
    }
}
