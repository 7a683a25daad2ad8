package dev.skep.browser.demo;

import dev.skep.dispatch.routes.BudgetRoutes.BudgetView;
import dev.skep.dispatch.routes.BudgetRoutes.BudgetsView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Two budgets: one with room, one that is spent. */
final class DemoBudgets {
    private static final long DOLLAR = 1_000_000;

    private DemoBudgets() {}

    static BudgetsView all(Instant now) {
        return new BudgetsView(
                List.of(
                        budget("everything", "org", "", 100, 62, 3, now, false),
                        budget("blue", "label", "team:blue", 20, 20, 0, now, true)),
                null,
                "hub");
    }

    private static BudgetView budget(
            String name,
            String scope,
            String subject,
            long amount,
            long spent,
            long held,
            Instant now,
            boolean exhausted) {
        return new BudgetView(
                name,
                name,
                scope,
                subject,
                amount * DOLLAR,
                Duration.ofDays(1).toSeconds(),
                spent * DOLLAR,
                held * DOLLAR,
                (amount - spent - held) * DOLLAR,
                3_100_000,
                exhausted ? null : now.plus(Duration.ofHours(12)),
                exhausted,
                "hub",
                List.of(),
                List.of(),
                now,
                now);
    }
}
