package dev.skep.dispatch.budget;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.backup.Restores;
import dev.skep.store.clock.ClockReading;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a hub must not forget of what it lent. */
final class LendingStore {
    /** What a host spends of a budget in an hour, and when it said so. */
    record Rate(String budget, String host, long perHour, long age) {}

    List<BudgetLease> leases(Snapshot snapshot, OrgId org) {
        return snapshot.list(
                """
                SELECT id, budget_id, host_id, request_id, amount, spent, lasts_ms, granted_age, returned_age
                FROM budget_leases WHERE org_id = ?
                """,
                row ->
                        new BudgetLease(
                                row.text("id"),
                                row.text("budget_id"),
                                row.text("host_id"),
                                row.text("request_id"),
                                row.number("amount"),
                                row.number("spent"),
                                row.number("lasts_ms"),
                                row.number("granted_age"),
                                row.numberOrNull("returned_age")),
                org.value());
    }

    void put(Transaction transaction, OrgId org, BudgetLease lease) {
        transaction.update(
                """
                INSERT INTO budget_leases
                    (id, org_id, budget_id, host_id, request_id, amount, spent, lasts_ms, granted_age, returned_age)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET amount = excluded.amount, spent = excluded.spent,
                    granted_age = excluded.granted_age, returned_age = excluded.returned_age
                """,
                lease.id(),
                org.value(),
                lease.budget(),
                lease.host(),
                lease.request(),
                lease.amount(),
                lease.spent(),
                lease.lasts(),
                lease.granted(),
                lease.returned());
    }

    void remove(Transaction transaction, OrgId org, Collection<String> leases) {
        leases.forEach(
                id ->
                        transaction.update(
                                "DELETE FROM budget_leases WHERE org_id = ? AND id = ?",
                                org.value(),
                                id));
    }

    List<HostLedger> ledgers(Snapshot snapshot, OrgId org) {
        return snapshot.list(
                "SELECT host_id, ledger, sequence, told, unsure_age FROM budget_ledgers WHERE org_id = ?",
                row ->
                        new HostLedger(
                                row.text("host_id"),
                                row.text("ledger"),
                                row.number("sequence"),
                                row.textOrNull("told"),
                                row.numberOrNull("unsure_age")),
                org.value());
    }

    void put(Transaction transaction, OrgId org, HostLedger ledger) {
        transaction.update(
                """
                INSERT INTO budget_ledgers (org_id, host_id, ledger, sequence, told, unsure_age)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (org_id, host_id) DO UPDATE SET ledger = excluded.ledger,
                    sequence = excluded.sequence, told = excluded.told, unsure_age = excluded.unsure_age
                """,
                org.value(),
                ledger.host(),
                ledger.ledger(),
                ledger.sequence(),
                ledger.told(),
                ledger.unsure());
    }

    List<Rate> rates(Snapshot snapshot, OrgId org) {
        return snapshot.list(
                "SELECT budget_id, host_id, rate, age FROM budget_rates WHERE org_id = ?",
                row ->
                        new Rate(
                                row.text("budget_id"),
                                row.text("host_id"),
                                row.number("rate"),
                                row.number("age")),
                org.value());
    }

    void put(Transaction transaction, OrgId org, Rate rate) {
        transaction.update(
                """
                INSERT INTO budget_rates (org_id, budget_id, host_id, rate, age) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (org_id, budget_id, host_id) DO UPDATE
                SET rate = excluded.rate, age = excluded.age
                """,
                org.value(),
                rate.budget(),
                rate.host(),
                rate.perHour(),
                rate.age());
    }

    /** Closed where the database was put back since this was last stored. */
    LenderGate gate(Snapshot snapshot, OrgId org, long now, String newClosing) {
        String restore = Restores.last(snapshot);
        Optional<Map.Entry<String, LenderGate>> stored =
                snapshot.first(
                        "SELECT closing, why, since_age, restored_by FROM budget_gates WHERE org_id = ?",
                        row ->
                                Map.entry(
                                        row.text("restored_by"),
                                        new LenderGate(
                                                row.textOrNull("closing"),
                                                row.text("why"),
                                                row.number("since_age"))),
                        org.value());
        String known = stored.map(Map.Entry::getKey).orElse("");
        return !known.equals(restore)
                ? new LenderGate(newClosing, "its hub was put back from a backup", now)
                : stored.map(Map.Entry::getValue).orElse(LenderGate.OPEN);
    }

    void put(Transaction transaction, OrgId org, LenderGate gate) {
        transaction.update(
                """
                INSERT INTO budget_gates (org_id, closing, why, since_age, restored_by)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (org_id) DO UPDATE SET closing = excluded.closing, why = excluded.why,
                    since_age = excluded.since_age, restored_by = excluded.restored_by
                """,
                org.value(),
                gate.closing(),
                gate.why(),
                gate.since(),
                Restores.last(transaction));
    }

    /** Where the clock of this database is, by whichever process kept it last. */
    Optional<LendingClock> clock(Snapshot snapshot) {
        return snapshot.first(
                "SELECT age, boot, boot_id, wall FROM lending_clock WHERE one = 1",
                row ->
                        new LendingClock(
                                row.number("age"),
                                new ClockReading(
                                        row.number("wall"),
                                        row.number("boot"),
                                        row.text("boot_id"))));
    }

    /** Locks the clock, and with it everything that is lent: exchanges are answered one by one. */
    @Nullable LendingClock locked(Transaction transaction) {
        transaction.update(
                """
                INSERT INTO lending_clock (one, age, boot, boot_id, wall) VALUES (1, 0, 0, '', 0)
                ON CONFLICT (one) DO UPDATE SET age = lending_clock.age
                """);
        return clock(transaction).orElse(null);
    }

    void put(Transaction transaction, LendingClock clock) {
        transaction.update(
                "UPDATE lending_clock SET age = ?, boot = ?, boot_id = ?, wall = ? WHERE one = 1",
                clock.age(),
                clock.read().boot(),
                clock.read().bootId(),
                clock.read().wall());
    }

    /** The hosts that a closed hub waits for. */
    Set<String> enrolled(Snapshot snapshot, OrgId org) {
        return snapshot
                .list(
                        "SELECT host_id FROM host_health WHERE org_id = ?",
                        row -> row.text("host_id"),
                        org.value())
                .stream()
                .collect(Collectors.toSet());
    }

    /** A host's labels as budgets name them, {@code team:blue}. */
    @Nullable String labels(Snapshot snapshot, OrgId org, String host) {
        return snapshot.first(
                        "SELECT labels FROM host_health WHERE org_id = ? AND host_id = ? AND labels IS NOT NULL",
                        row -> row.text("labels"),
                        org.value(),
                        host)
                .orElse(null);
    }
}
