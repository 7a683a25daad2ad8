package dev.skep.runner.terminal;

import dev.skep.transport.route.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A line of a log as a terminal shows it: its message, and of its detail what people read. The
 * detail comes from another program, perhaps on another host, so whatever is odd in it is left out.
 */
public final class LogText {
    private static final String END_OF_TURN = "end_turn";

    private LogText() {}

    /** How a line looks. */
    public enum Look {
        PLAIN,
        BOLD,
        FAINT,
        ALARM,
        ADDED,
        REMOVED
    }

    /** One line of a terminal. */
    public record Shown(String text, Look look) {}

    /** The lines of an entry; none for what only programs read. */
    public static List<Shown> of(String type, String message, Optional<JsonFields> detail) {
        return switch (type) {
            case "command", "tool_call" -> lines("$ " + message, Look.BOLD);
            case "output", "tool_result" -> result(message, detail);
            case "plan" -> plan(message, detail);
            case "turn_end" -> turnEnd(detail);
            case "decision" -> lines("· " + message + decision(detail), Look.FAINT);
            case "thought", "talk" -> lines(message, Look.FAINT);
            case "notice" -> lines("· " + message, Look.FAINT);
            case "error" -> lines("! " + message, Look.ALARM);
            default -> lines(message, Look.PLAIN);
        };
    }

    private static List<Shown> lines(String text, Look look) {
        return text.lines()
                .filter(line -> !line.isEmpty())
                .map(line -> new Shown(line, look))
                .toList();
    }

    private static List<Shown> result(String message, Optional<JsonFields> detail) {
        String status = detail.map(each -> each.shown("status")).orElse("");
        List<Shown> shown = new ArrayList<>();
        if (!status.isEmpty() && !status.equals("completed")) {
            shown.add(new Shown("! " + status.replace('_', ' '), Look.ALARM));
        }
        shown.addAll(lines(message, Look.PLAIN));
        detail.ifPresent(each -> each.objects("diffs").forEach(diff -> shown.addAll(diff(diff))));
        return shown;
    }

    /** A file, and what changed in it. */
    public static List<Shown> diff(JsonFields change) {
        List<Shown> shown = new ArrayList<>();
        shown.add(new Shown(change.shown("path"), Look.BOLD));
        DiffText.of(change.shown("oldText"), change.shown("newText"))
                .forEach(line -> shown.add(new Shown(line, look(line))));
        return shown;
    }

    private static Look look(String line) {
        return line.startsWith("+") ? Look.ADDED : line.startsWith("-") ? Look.REMOVED : Look.FAINT;
    }

    private static List<Shown> plan(String message, Optional<JsonFields> detail) {
        List<Shown> steps = new ArrayList<>();
        detail.ifPresent(
                each ->
                        each.objects("entries")
                                .forEach(
                                        step ->
                                                steps.add(
                                                        new Shown(
                                                                mark(step.shown("status"))
                                                                        + step.shown("content"),
                                                                Look.FAINT))));
        return steps.isEmpty() ? lines(message, Look.FAINT) : steps;
    }

    private static String mark(String status) {
        return switch (status) {
            case "completed" -> "[x] ";
            case "in_progress" -> "[>] ";
            default -> "[ ] ";
        };
    }

    private static List<Shown> turnEnd(Optional<JsonFields> detail) {
        String reason = detail.map(each -> each.shown("stopReason")).orElse("");
        if (reason.isEmpty() || reason.equals(END_OF_TURN)) {
            return List.of();
        }
        String why = detail.map(each -> each.shown("why")).orElse("");
        return List.of(
                new Shown(
                        "· the turn ended: %s%s"
                                .formatted(
                                        reason.replace('_', ' ').toLowerCase(Locale.ROOT),
                                        why.isEmpty() ? "" : ": " + why),
                        Look.FAINT));
    }

    private static String decision(Optional<JsonFields> detail) {
        String reason = detail.map(each -> each.shown("reason")).orElse("");
        boolean always = detail.filter(each -> each.flag("always")).isPresent();
        return (always ? ", always from now on" : "") + (reason.isEmpty() ? "" : ": " + reason);
    }
}
