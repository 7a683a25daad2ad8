package dev.skep.dispatch.budget;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The table {@code budgets}. */
public final class SharedBudgetStore {
    private static final String COLUMNS =
            "id, org_id, name, scope, subject, amount, window_ms, created_at, updated_at";

    /** A call of a host that found too little. */
    public record Refused(long age, long least) {}

    public List<SharedBudget> all(Snapshot snapshot, OrgId org) {
        return snapshot.list(
                "SELECT %s FROM budgets WHERE org_id = ? ORDER BY name".formatted(COLUMNS),
                SharedBudgetStore::budget,
                org.value());
    }

    /** Those of all orgs, for the alerts. */
    public Set<OrgId> orgs(Snapshot snapshot) {
        return Set.copyOf(
                snapshot.list(
                        "SELECT DISTINCT org_id FROM budgets",
                        row -> new OrgId(row.text("org_id"))));
    }

    /** By its id or its name. */
    public Optional<SharedBudget> find(Snapshot snapshot, OrgId org, String named) {
        return snapshot.first(
                "SELECT %s FROM budgets WHERE org_id = ? AND (id = ? OR name = ?) ORDER BY id <> ?"
                        .formatted(COLUMNS),
                SharedBudgetStore::budget,
                org.value(),
                named,
                named,
                named);
    }

    public void add(Transaction transaction, SharedBudget budget) {
        transaction.update(
                """
                INSERT INTO budgets (id, org_id, name, scope, subject, amount, window_ms, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                budget.id(),
                budget.org().value(),
                budget.name(),
                budget.scope().stored(),
                budget.subject(),
                budget.amount(),
                budget.window().toMillis(),
                budget.createdAt(),
                budget.updatedAt());
    }

    public void change(Transaction transaction, SharedBudget budget) {
        transaction.update(
                "UPDATE budgets SET name = ?, amount = ?, updated_at = ? WHERE org_id = ? AND id = ?",
                budget.name(),
                budget.amount(),
                budget.updatedAt(),
                budget.org().value(),
                budget.id());
    }

    /** With what was lent of it, which is then nobody's. */
    public void remove(Transaction transaction, OrgId org, String id) {
        for (String table : List.of("budget_leases", "budget_rates")) {
            transaction.update(
                    "DELETE FROM %s WHERE org_id = ? AND budget_id = ?".formatted(table),
                    org.value(),
                    id);
        }
        transaction.update("DELETE FROM budgets WHERE org_id = ? AND id = ?", org.value(), id);
    }

    void refused(Transaction transaction, OrgId org, String id, long age, long least) {
        transaction.update(
                "UPDATE budgets SET refused_age = ?, refused_least = ? WHERE org_id = ? AND id = ?",
                age,
                least,
                org.value(),
                id);
    }

    Optional<Refused> refused(Snapshot snapshot, OrgId org, String id) {
        return snapshot.first(
                """
                SELECT refused_age, refused_least FROM budgets
                WHERE org_id = ? AND id = ? AND refused_age IS NOT NULL
                """,
                row -> new Refused(row.number("refused_age"), row.number("refused_least")),
                org.value(),
                id);
    }

    private static SharedBudget budget(ResultRow row) {
        return new SharedBudget(
                row.text("id"),
                new OrgId(row.text("org_id")),
                row.text("name"),
                BudgetScope.of(row.text("scope")).orElseThrow(),
                row.text("subject"),
                row.number("amount"),
                Duration.ofMillis(row.number("window_ms")),
                row.time("created_at"),
                row.time("updated_at"));
    }
}
