package dev.skep.dispatch.budget;

import dev.skep.dispatch.alert.AlertCondition;
import dev.skep.dispatch.alert.AlertConditionSource;
import dev.skep.dispatch.alert.AlertKind;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import java.util.ArrayList;
import java.util.List;

/** Budgets of which four fifths are spent, or all. */
public final class BudgetConditions implements AlertConditionSource {
    private static final int NEARLY = 80;

    /**
     * An alert that was sent is over only when this much is there again, or it would come often.
     */
    private static final int STILL = 70;

    private final BudgetLender lender;
    private final SharedBudgetStore budgets = new SharedBudgetStore();
    private final AlertKind kind;

    private BudgetConditions(BudgetLender lender, AlertKind kind) {
        this.lender = lender;
        this.kind = kind;
    }

    public static BudgetConditions nearlySpent(BudgetLender lender) {
        return new BudgetConditions(lender, AlertKind.BUDGET_NEARLY_SPENT);
    }

    public static BudgetConditions spent(BudgetLender lender) {
        return new BudgetConditions(lender, AlertKind.BUDGET_EXHAUSTED);
    }

    @Override
    public AlertKind kind() {
        return kind;
    }

    @Override
    public List<AlertCondition> now(Snapshot snapshot) {
        List<AlertCondition> conditions = new ArrayList<>();
        for (OrgId org : budgets.orgs(snapshot)) {
            for (BudgetReport.Standing each : lender.report(snapshot, org).budgets()) {
                boolean isSpent = each.exhausted() || each.percent() >= 100;
                if (kind == AlertKind.BUDGET_EXHAUSTED) {
                    if (isSpent) {
                        conditions.add(condition(org, each, "is spent", true));
                    }
                } else if (isSpent || each.percent() >= STILL) {
                    boolean certain = isSpent || each.percent() >= NEARLY;
                    String words = "is spent to %d %%".formatted(each.percent());
                    conditions.add(condition(org, each, words, certain));
                }
            }
        }
        return conditions;
    }

    private static AlertCondition condition(
            OrgId org, BudgetReport.Standing standing, String words, boolean certain) {
        return new AlertCondition(
                org,
                "budget:" + standing.budget().id(),
                "Budget %s %s.".formatted(standing.budget().name(), words),
                certain);
    }
}
