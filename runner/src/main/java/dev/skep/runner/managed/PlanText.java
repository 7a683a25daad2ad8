package dev.skep.runner.managed;

import dev.skep.runner.acp.SessionUpdate.PlanStep;
import java.util.List;
import java.util.stream.Collectors;

/** A runtime's plan in words. */
final class PlanText {
    private static final int MOST_STEPS = 100;
    private static final int LONGEST_STEP = 500;

    private PlanText() {}

    static List<PlanStep> bounded(List<PlanStep> steps) {
        return steps.stream()
                .limit(MOST_STEPS)
                .map(
                        step ->
                                new PlanStep(
                                        TextTruncator.cut(step.content(), LONGEST_STEP),
                                        TextTruncator.cut(step.status(), 40),
                                        TextTruncator.cut(step.priority(), 40)))
                .toList();
    }

    static String of(List<PlanStep> steps) {
        return steps.stream()
                .map(step -> mark(step.status()) + " " + step.content())
                .collect(Collectors.joining("\n"));
    }

    private static String mark(String status) {
        return switch (status) {
            case "completed" -> "[x]";
            case "in_progress" -> "[>]";
            default -> "[ ]";
        };
    }
}
