package dev.skep.simulation.money;

import dev.skep.dispatch.budget.BudgetLease;
import dev.skep.dispatch.budget.HostLedger;
import dev.skep.dispatch.budget.LenderGate;
import dev.skep.dispatch.budget.LendingBook;
import dev.skep.dispatch.budget.LendingClock;
import dev.skep.dispatch.budget.SharedBudget;
import dev.skep.store.clock.ClockReading;
import dev.skep.wire.call.BudgetAnswer;
import dev.skep.wire.call.BudgetExchange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The hub: its database is what it is; a backup of it is an older one. */
final class SimulatedLender {
    static final String LABEL = "team:blue";

    /** All that the hub's database has. */
    private record Stored(
            Map<String, BudgetLease> leases,
            Map<String, HostLedger> ledgers,
            LenderGate gate,
            LendingClock clock) {

        Stored copy() {
            return new Stored(new HashMap<>(leases), new HashMap<>(ledgers), gate, clock);
        }
    }

    final SimulatedClock clock = new SimulatedClock("hub", 1);
    private final List<SharedBudget> budgets;
    private final @Nullable MoneyRule without;
    private Stored stored;
    private final List<Stored> backups = new ArrayList<>();
    private int ids;
    private int closings;
    private boolean isUp = true;

    SimulatedLender(List<SharedBudget> budgets, @Nullable MoneyRule without) {
        this.budgets = List.copyOf(budgets);
        this.without = without;
        this.stored =
                new Stored(
                        new HashMap<>(),
                        new HashMap<>(),
                        LenderGate.OPEN,
                        new LendingClock(0, clock.read()));
        backups.add(stored.copy());
    }

    void backup() {
        backups.add(stored.copy());
    }

    /** What {@code skep restore} does: the database is older, and the hub knows that. */
    void restore(int which) {
        stored = backups.get(which % backups.size()).copy();
        if (without != MoneyRule.RESTORE_CLOSES) {
            long now = time();
            stored =
                    new Stored(
                            stored.leases(),
                            stored.ledgers(),
                            new LenderGate("closing-" + closings++, "it was put back", now),
                            stored.clock());
        }
    }

    void up(boolean now) {
        isUp = now;
    }

    boolean isUp() {
        return isUp;
    }

    /** Counts the time, as the hub does with each exchange. */
    private long time() {
        ClockReading read = clock.read();
        LendingClock before = stored.clock();
        LendingClock now = before.at(read);
        if (without == MoneyRule.PAUSE_IS_NOT_COUNTED && !read.isSameBootAs(before.read())) {
            long off = Math.max(0, read.wall() - before.read().wall());
            now = new LendingClock(before.age() + off, read);
        }
        stored = new Stored(stored.leases(), stored.ledgers(), stored.gate(), now);
        return without == MoneyRule.HUB_BOOT_CLOCK ? read.wall() : now.age();
    }

    BudgetAnswer answer(String host, BudgetExchange told, Set<String> enrolled) {
        long now = time();
        LendingBook book =
                new LendingBook(
                        budgets,
                        stored.leases().values(),
                        stored.ledgers().values().stream()
                                .map(each -> each.host().equals(host) ? tampered(each, told) : each)
                                .toList(),
                        stored.gate(),
                        without == MoneyRule.WAITS_FOR_ALL ? Set.of(host) : enrolled);
        Set<String> labels = host.equals("host2") ? Set.of() : Set.of(LABEL);
        BudgetAnswer answer =
                book.answer(
                        new LendingBook.Caller(host, labels),
                        tampered(told),
                        now,
                        () -> "id-%d".formatted(ids++));
        Map<String, BudgetLease> leases = new HashMap<>(stored.leases());
        book.removed().forEach(leases::remove);
        book.changed().forEach(lease -> leases.put(lease.id(), tampered(lease)));
        Map<String, HostLedger> ledgers = new HashMap<>(stored.ledgers());
        book.ledger(host).ifPresent(ledger -> ledgers.put(host, tampered(ledger, told)));
        stored = new Stored(leases, ledgers, book.gate(), stored.clock());
        return answer;
    }

    private BudgetExchange tampered(BudgetExchange told) {
        boolean anyAnswer = without == MoneyRule.ANSWERS_THIS_CLOSING;
        boolean closed = told.closing().isPresent();
        boolean noHeld = closed && without == MoneyRule.TELLS_WHAT_IT_HOLDS;
        boolean noSpent = closed && without == MoneyRule.TELLS_WHAT_WAS_SPENT;
        return new BudgetExchange(
                told.ledger(),
                told.sequence(),
                told.acknowledged(),
                anyAnswer ? Optional.ofNullable(stored.gate().closing()) : told.closing(),
                told.leases().stream()
                        .filter(each -> each.returned() ? !noSpent : !noHeld)
                        .toList(),
                told.states(),
                told.wants());
    }

    private HostLedger tampered(HostLedger ledger, BudgetExchange told) {
        boolean sure = without == MoneyRule.LOST_LEDGER_IS_UNSURE;
        return sure
                ? new HostLedger(
                        ledger.host(), told.ledger(), ledger.sequence(), ledger.told(), null)
                : ledger;
    }

    private BudgetLease tampered(BudgetLease lease) {
        @Nullable Long back = lease.returned();
        return switch (without) {
            case FREED_A_WINDOW_LATER ->
                    back == null
                            ? lasting(lease, MoneyWorld.LASTS - MoneyWorld.WINDOW, null)
                            : lasting(lease, MoneyWorld.LASTS, back);
            case RETURNED_COUNTS_A_WINDOW ->
                    back == null ? lease : lasting(lease, lease.lasts(), lease.granted());
            case null, default -> lease;
        };
    }

    private static BudgetLease lasting(BudgetLease lease, long lasts, @Nullable Long returned) {
        return new BudgetLease(
                lease.id(),
                lease.budget(),
                lease.host(),
                lease.request(),
                lease.amount(),
                lease.spent(),
                lasts,
                lease.granted(),
                returned);
    }

    /** What could be lent now, for a fleet that has come to rest. */
    long free(SharedBudget budget) {
        LendingBook book =
                new LendingBook(
                        budgets,
                        stored.leases().values(),
                        stored.ledgers().values(),
                        stored.gate(),
                        Set.of());
        return book.free(budget, time());
    }

    boolean isClosed() {
        return stored.gate().closing() != null;
    }
}
