package dev.skep.app.adapter;

import dev.skep.agents.view.OverBudgetStore;
import dev.skep.dispatch.alert.AlertCondition;
import dev.skep.dispatch.alert.AlertConditionSource;
import dev.skep.dispatch.alert.AlertKind;
import dev.skep.store.Snapshot;
import java.util.List;

/** Agents that have used up their budget. */
public final class OverBudgetConditions implements AlertConditionSource {
    private final OverBudgetStore agents = new OverBudgetStore();

    @Override
    public AlertKind kind() {
        return AlertKind.BUDGET_EXHAUSTED;
    }

    @Override
    public List<AlertCondition> now(Snapshot snapshot) {
        return agents.all(snapshot).stream()
                .map(
                        each ->
                                new AlertCondition(
                                        each.org(),
                                        "agent:" + each.agent(),
                                        "Agent %s has used up its budget."
                                                .formatted(each.username()),
                                        true))
                .toList();
    }
}
