package dev.skep.simulation.money;

import dev.skep.kernel.id.AgentId;
import dev.skep.models.money.lease.BudgetKey;
import dev.skep.models.money.lease.HeldLease;
import dev.skep.models.money.lease.LeaseDecision;
import dev.skep.models.money.lease.LeaseRequest;
import dev.skep.models.money.lease.LeaseWallet;
import dev.skep.models.money.lease.WalletState;
import dev.skep.store.clock.ClockReading;
import dev.skep.wire.call.BudgetAnswer;
import dev.skep.wire.call.BudgetExchange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A host: a wallet in memory, and what its database has of it. */
final class SimulatedSpender {
    static final String HUB = "hub";

    private static final AgentId AGENT = new AgentId("agent");

    /** A call under way, which the provider has charged already. */
    private record Call(LeaseDecision.Paid paid, long cost, long ends) {}

    final String name;
    final SimulatedClock clock;
    private final @Nullable MoneyRule without;
    private final SpendingOracle oracle;
    private final List<Call> calls = new ArrayList<>();
    private final Set<String> returned = new HashSet<>();
    private WalletState stored;
    private WalletState backup;
    private LeaseWallet wallet;
    private ClockReading tampered;
    private int ids;
    private int ledgers;
    private int process;
    private boolean isUp = true;
    private boolean isFrozen;

    SimulatedSpender(
            String name, double speed, @Nullable MoneyRule without, SpendingOracle oracle) {
        this.name = name;
        this.clock = new SimulatedClock(name, speed);
        this.without = without;
        this.oracle = oracle;
        this.stored = WalletState.empty(name + "-0");
        this.backup = stored;
        this.wallet = new LeaseWallet(stored);
        this.tampered = clock.read();
        begin();
    }

    private void begin() {
        wallet = new LeaseWallet(stored);
        wallet.join(HUB, without == MoneyRule.RESTORED_HOST_WAITS);
        process++;
    }

    int process() {
        return process;
    }

    boolean isUp() {
        return isUp && !isFrozen;
    }

    /** Its machine stands still. */
    void frozen(boolean now) {
        isFrozen = now;
    }

    /** Stops at once; calls under way are lost, and were charged. */
    void stop() {
        isUp = false;
        calls.clear();
    }

    void start() {
        isUp = true;
        begin();
    }

    void backup() {
        backup = stored;
    }

    void restore() {
        String ledger = "%s-%d".formatted(name, ++ledgers);
        stored =
                without == MoneyRule.NOT_IN_BACKUPS
                        ? backup
                        : WalletState.restored(
                                ledger,
                                without == MoneyRule.RESTORED_HOST_WAITS
                                        ? List.of()
                                        : backup.budgets(),
                                List.of());
    }

    void wipe() {
        stored = WalletState.empty("%s-%d".formatted(name, ++ledgers));
    }

    /** What the wallet is told of the clocks. */
    private ClockReading read() {
        ClockReading now = clock.read();
        tampered =
                switch (without) {
                    case WALL_CLOCK_COUNTS ->
                            new ClockReading(
                                    Math.max(tampered.wall() + 1, 1), now.boot(), now.bootId());
                    case BOOT_CLOCK_COUNTS ->
                            new ClockReading(
                                    Math.max(now.wall(), tampered.wall()),
                                    tampered.boot() + Math.max(0, now.wall() - last.wall()),
                                    "always the same");
                    case STEP_BACK_VOIDS ->
                            new ClockReading(
                                    Math.max(now.wall(), tampered.wall()),
                                    now.boot(),
                                    now.bootId());
                    case REBOOT_VOIDS ->
                            new ClockReading(
                                    now.wall(),
                                    now.isSameBootAs(last)
                                            ? tampered.boot() + now.boot() - last.boot()
                                            : tampered.boot() + now.boot(),
                                    "always the same");
                    case null, default -> now;
                };
        last = now;
        return tampered;
    }

    private ClockReading last = new ClockReading(0, 0, "");

    private void store() {
        stored = wallet.state();
    }

    /** Has a look at the clocks every second, as the product does; true if it could. */
    void look() {
        if (isUp()) {
            boolean _ = wallet.endsSome(read());
            store();
        }
    }

    BudgetExchange ask() {
        BudgetExchange exchange =
                wallet.exchange(HUB, read(), () -> "%s-%d".formatted(name, ids++));
        store();
        if (without == MoneyRule.RETURN_ENDS_LEASE) {
            exchange.leases().stream()
                    .filter(BudgetExchange.LeaseReport::returned)
                    .forEach(each -> returned.add(each.lease()));
        }
        return exchange;
    }

    /** Goes on with what it has returned. */
    private void reopen() {
        change(
                wallet.state().leases().stream()
                        .map(
                                each ->
                                        returned.remove(each.id())
                                                ? copy(each, HeldLease.State.OPEN)
                                                : each)
                        .toList(),
                wallet.state().requests());
    }

    private static HeldLease copy(HeldLease lease, HeldLease.State state) {
        return new HeldLease(
                lease.id(),
                lease.key(),
                lease.amount(),
                lease.spent(),
                lease.lasts(),
                lease.used(),
                lease.rested(),
                lease.read(),
                lease.wallWas(),
                state);
    }

    private void change(List<HeldLease> leases, List<LeaseRequest> requests) {
        WalletState now = wallet.state();
        wallet =
                new LeaseWallet(
                        new WalletState(now.ledger(), now.hubs(), now.budgets(), leases, requests));
        store();
    }

    void hear(BudgetAnswer answer) {
        ClockReading now = read();
        List<String> asked = wallet.state().requests().stream().map(LeaseRequest::id).toList();
        BudgetAnswer heard = tampered(answer);
        wallet.answered(HUB, heard, now);
        boolean again = without == MoneyRule.TAKEN_ONCE;
        if (again || without == MoneyRule.COUNTS_FROM_REQUEST) {
            List<HeldLease> leases = new ArrayList<>(wallet.state().leases());
            for (BudgetAnswer.Grant grant : heard.grants()) {
                if (again || asked.contains(grant.request())) {
                    leases.removeIf(each -> each.id().equals(grant.lease()));
                    leases.add(fresh(grant, now));
                }
            }
            change(leases, wallet.state().requests());
        }
        if (!returned.isEmpty()) {
            reopen();
        }
        store();
    }

    private static HeldLease fresh(BudgetAnswer.Grant grant, ClockReading now) {
        return new HeldLease(
                grant.lease(),
                new BudgetKey(HUB, grant.budget()),
                grant.amount(),
                0,
                grant.lasts(),
                0,
                0,
                now,
                now.wall(),
                HeldLease.State.OPEN);
    }

    private BudgetAnswer tampered(BudgetAnswer answer) {
        boolean one = without == MoneyRule.ALL_THAT_APPLY;
        long times = without == MoneyRule.USE_BY ? 1_000 : 1;
        return new BudgetAnswer(
                answer.sequence(),
                answer.closing(),
                one ? answer.budgets().subList(0, 1) : answer.budgets(),
                answer.grants().stream()
                        .map(
                                each ->
                                        new BudgetAnswer.Grant(
                                                each.request(),
                                                each.lease(),
                                                each.budget(),
                                                each.amount(),
                                                each.lasts() * times))
                        .toList(),
                answer.refusals(),
                answer.settled());
    }

    void unreachable() {
        wallet.unreachable(HUB);
    }

    /** Makes a call if it may; true if it was made. */
    boolean spend(long now, Random random, List<String> applying) {
        long least = 1L + random.nextInt(3);
        long most = least + random.nextInt(40);
        LeaseDecision decision =
                wallet.reserve(
                        AGENT, least, without == MoneyRule.MOST_IS_RESERVED ? least : most, read());
        if (without == MoneyRule.SPENDS_WHAT_IT_HOLDS
                && decision instanceof LeaseDecision.TooLittle) {
            decision = new LeaseDecision.Paid(most, List.of());
        }
        if (!(decision instanceof LeaseDecision.Paid paid)) {
            return false;
        }
        if (without != MoneyRule.STORED_BEFORE_CALL) {
            store();
        }
        long atMost = without == MoneyRule.MOST_IS_RESERVED ? most : paid.micros();
        long cost = random.nextInt(4) == 0 ? random.nextLong(atMost + 1) : atMost;
        applying.forEach(budget -> oracle.charge(budget, name, now, cost));
        calls.add(new Call(paid, cost, now + random.nextInt(30_000)));
        return true;
    }

    /** Calls that are over are settled. */
    void settle(long now) {
        for (Call call : List.copyOf(calls)) {
            if (call.ends() <= now) {
                calls.remove(call);
                wallet.settle(call.paid(), Math.min(call.cost(), call.paid().micros()), read());
            }
        }
    }

    boolean isAsking() {
        return wallet.isAsking(HUB);
    }
}
