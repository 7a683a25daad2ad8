package dev.skep.app.adapter;

import dev.skep.agents.view.StuckAgentStore;
import dev.skep.agents.view.StuckAgentStore.StuckAgent;
import dev.skep.dispatch.alert.AlertCondition;
import dev.skep.dispatch.alert.AlertConditionSource;
import dev.skep.dispatch.alert.AlertKind;
import dev.skep.store.Snapshot;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Agents that cannot go on without a person: each kind of them is a source of its own. */
public final class StuckAgentConditions implements AlertConditionSource {
    private final AlertKind kind;
    private final Function<Snapshot, List<AlertCondition>> conditions;

    private StuckAgentConditions(
            AlertKind kind, Function<Snapshot, List<AlertCondition>> conditions) {
        this.kind = kind;
        this.conditions = conditions;
    }

    /**
     * All of them.
     *
     * @param redact takes secrets out of a command, which alerts keep
     */
    public static List<AlertConditionSource> all(UnaryOperator<String> redact) {
        StuckAgentStore agents = new StuckAgentStore();
        return List.of(
                new StuckAgentConditions(
                        AlertKind.APPROVAL_WAITING,
                        snapshot ->
                                agents.asking(snapshot).stream()
                                        .map(asking -> approval(asking, redact))
                                        .toList()),
                new StuckAgentConditions(
                        AlertKind.AGENT_FAILED,
                        snapshot ->
                                agents.failed(snapshot).stream()
                                        .map(
                                                agent ->
                                                        about(
                                                                agent,
                                                                "failed" + reason(agent, redact)))
                                        .toList()),
                new StuckAgentConditions(
                        AlertKind.AGENT_REPEATS,
                        snapshot ->
                                agents.repeating(snapshot).stream()
                                        .map(
                                                agent ->
                                                        about(
                                                                agent,
                                                                "repeats the same commands and was paused."))
                                        .toList()));
    }

    @Override
    public AlertKind kind() {
        return kind;
    }

    @Override
    public List<AlertCondition> now(Snapshot snapshot) {
        return conditions.apply(snapshot);
    }

    private static AlertCondition approval(
            StuckAgentStore.Asking asking, UnaryOperator<String> redact) {
        return new AlertCondition(
                asking.agent().org(),
                "approval:" + asking.approval(),
                "%s asks: %s".formatted(asking.agent().name(), inShort(asking.command(), redact)),
                true);
    }

    private static AlertCondition about(StuckAgent agent, String what) {
        return new AlertCondition(
                agent.org(),
                "agent:" + agent.agent(),
                "Agent %s %s".formatted(agent.name(), what),
                true);
    }

    private static String reason(StuckAgent agent, UnaryOperator<String> redact) {
        return agent.reason() == null ? "." : ": " + inShort(agent.reason(), redact);
    }

    /** Alerts are lines; the card has the rest. */
    private static String inShort(String text, UnaryOperator<String> redact) {
        String clean = redact.apply(text).replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        int longest = 500;
        return clean.length() <= longest ? clean : clean.substring(0, longest) + "…";
    }
}
