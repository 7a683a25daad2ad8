package dev.skep.models.money.lease;

import dev.skep.models.money.lease.HeldLease.State;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.clock.ClockReading;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The local tables of what this host holds of its hubs' budgets. */
final class LeaseStore {
    private LeaseStore() {}

    /** What was stored last; with a new ledger where there is none. */
    static WalletState read(Snapshot snapshot, Supplier<String> newLedger) {
        List<String> ledgers =
                snapshot.list("SELECT ledger FROM lease_ledgers", row -> row.text("ledger"));
        return new WalletState(
                ledgers.isEmpty() ? newLedger.get() : ledgers.getFirst(),
                snapshot.list(
                        "SELECT hub_id, sequence, acknowledged, closing, heard FROM lease_ledgers",
                        row ->
                                new HubLedger(
                                        row.text("hub_id"),
                                        row.number("sequence"),
                                        row.number("acknowledged"),
                                        row.textOrNull("closing"),
                                        row.flag("heard"))),
                snapshot.list(
                        "SELECT hub_id, budget_id, name, agent_id, amount, window_ms, free FROM lent_budgets",
                        row ->
                                new LentBudget(
                                        key(row),
                                        row.text("name"),
                                        row.textOrNull("agent_id"),
                                        row.number("amount"),
                                        row.number("window_ms"),
                                        row.number("free"))),
                snapshot.list(
                        """
                        SELECT id, hub_id, budget_id, amount, spent, lasts_ms, used_ms, rested_ms,
                            wall, boot, boot_id, wall_was, state
                        FROM held_leases
                        """,
                        row ->
                                new HeldLease(
                                        row.text("id"),
                                        key(row),
                                        row.number("amount"),
                                        row.number("spent"),
                                        row.number("lasts_ms"),
                                        row.number("used_ms"),
                                        row.number("rested_ms"),
                                        reading(row),
                                        row.number("wall_was"),
                                        State.valueOf(row.text("state").toUpperCase(Locale.ROOT)))),
                snapshot.list(
                        "SELECT id, hub_id, budget_id, least, most, wall, boot, boot_id FROM lease_requests",
                        row ->
                                new LeaseRequest(
                                        row.text("id"),
                                        key(row),
                                        row.number("least"),
                                        row.number("most"),
                                        reading(row))));
    }

    private static BudgetKey key(ResultRow row) {
        return new BudgetKey(row.text("hub_id"), row.text("budget_id"));
    }

    private static ClockReading reading(ResultRow row) {
        return new ClockReading(row.number("wall"), row.number("boot"), row.text("boot_id"));
    }

    /** Writes what differs from what was written before. */
    static void write(Transaction transaction, WalletState before, WalletState now) {
        if (!before.hubs().equals(now.hubs())) {
            transaction.update("DELETE FROM lease_ledgers");
            now.hubs().forEach(hub -> put(transaction, now.ledger(), hub));
        }
        if (!before.budgets().equals(now.budgets())) {
            transaction.update("DELETE FROM lent_budgets");
            now.budgets().forEach(budget -> put(transaction, budget));
        }
        if (!before.requests().equals(now.requests())) {
            transaction.update("DELETE FROM lease_requests");
            now.requests().forEach(request -> put(transaction, request));
        }
        for (HeldLease lease : before.leases()) {
            if (now.leases().stream().noneMatch(each -> each.id().equals(lease.id()))) {
                transaction.update("DELETE FROM held_leases WHERE id = ?", lease.id());
            }
        }
        for (HeldLease lease : now.leases()) {
            if (!before.leases().contains(lease)) {
                put(transaction, lease);
            }
        }
    }

    /** Where it is not known what was written before. */
    static void writeAll(Transaction transaction, WalletState now) {
        for (String table :
                List.of("lease_ledgers", "lent_budgets", "lease_requests", "held_leases")) {
            transaction.update("DELETE FROM " + table);
        }
        write(transaction, WalletState.empty(now.ledger()), now);
    }

    private static void put(Transaction transaction, String ledger, HubLedger hub) {
        transaction.update(
                """
                INSERT INTO lease_ledgers (hub_id, ledger, sequence, acknowledged, closing, heard)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                hub.hub(),
                ledger,
                hub.sequence(),
                hub.acknowledged(),
                hub.closing(),
                hub.heard());
    }

    private static void put(Transaction transaction, LentBudget budget) {
        transaction.update(
                """
                INSERT INTO lent_budgets (hub_id, budget_id, name, agent_id, amount, window_ms, free)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                budget.key().hub(),
                budget.key().budget(),
                budget.name(),
                budget.agent(),
                budget.amount(),
                budget.window(),
                budget.free());
    }

    private static void put(Transaction transaction, LeaseRequest request) {
        transaction.update(
                """
                INSERT INTO lease_requests (id, hub_id, budget_id, least, most, wall, boot, boot_id)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                request.id(),
                request.key().hub(),
                request.key().budget(),
                request.least(),
                request.most(),
                request.at().wall(),
                request.at().boot(),
                request.at().bootId());
    }

    private static void put(Transaction transaction, HeldLease lease) {
        transaction.update(
                """
                INSERT INTO held_leases (id, hub_id, budget_id, amount, spent, lasts_ms, used_ms,
                    rested_ms, wall, boot, boot_id, wall_was, state)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET spent = excluded.spent, used_ms = excluded.used_ms,
                    rested_ms = excluded.rested_ms, wall = excluded.wall, boot = excluded.boot,
                    boot_id = excluded.boot_id, wall_was = excluded.wall_was, state = excluded.state
                """,
                lease.id(),
                lease.key().hub(),
                lease.key().budget(),
                lease.amount(),
                lease.spent(),
                lease.lasts(),
                lease.used(),
                lease.rested(),
                lease.read().wall(),
                lease.read().boot(),
                lease.read().bootId(),
                lease.wallWas(),
                lease.state().name().toLowerCase(Locale.ROOT));
    }
}
