package dev.skep.cli.command;

import dev.skep.kernel.row.Timestamps;
import dev.skep.runner.terminal.LogText;
import dev.skep.transport.route.JsonFields;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** An approval as people read it: in a row of a list, or whole. */
final class ApprovalText {
    private final JsonFields approval;

    ApprovalText(JsonFields approval) {
        this.approval = approval;
    }

    String kind() {
        return detail("kind").orElse("command");
    }

    /** How long it still waits; nothing once it is decided. */
    String waits(Instant now) {
        if (!approval.shown("decision").equals("pending")) {
            return "";
        }
        Duration left = Duration.between(now, Timestamps.parse(approval.text("expiresAt")));
        return left.isPositive()
                ? "%dm %02ds".formatted(left.toMinutes(), left.toSecondsPart())
                : "0m 00s";
    }

    String by() {
        return approval.optionalText("decidedThrough")
                .map(hub -> "%s (through %s)".formatted(approval.shown("decidedBy"), hub))
                .orElseGet(() -> approval.shown("decidedBy"));
    }

    String decision() {
        return approval.shown("decision") + (approval.flag("always") ? " always" : "");
    }

    /** The command or the path, and what the runtime calls it if that says more. */
    String what() {
        String command = approval.shown("command");
        return detail("title")
                .filter(title -> !title.equals(command))
                .map(title -> command + "  (" + title + ")")
                .orElse(command);
    }

    /** All there is to know before a yes: the whole command, the whole diff. */
    void print(PrintWriter out, Instant now) {
        field(out, "id", approval.shown("id"));
        field(out, "agent", approval.shown("agent"));
        field(out, "kind", kind());
        field(out, "title", detail("title").orElse(""));
        field(out, "path", detail("path").orElse(""));
        field(out, "asked at", RunnerCall.time(approval, "requestedAt"));
        field(out, "waits", waits(now));
        if (!approval.shown("decision").equals("pending")) {
            field(out, "decision", decision());
            field(out, "by", by());
            field(out, "reason", approval.shown("reason"));
        }
        out.println();
        out.println(LogsCommand.printable(approval.shown("command")));
        approval.object("detail")
                .ifPresent(
                        detail ->
                                detail.objects("diff")
                                        .forEach(
                                                change -> {
                                                    out.println();
                                                    LogText.diff(change)
                                                            .forEach(
                                                                    line ->
                                                                            out.println(
                                                                                    diffLine(
                                                                                            line)));
                                                }));
    }

    private static String diffLine(LogText.Shown line) {
        return line.text().replaceAll("[\\p{Cntrl}&&[^\\t]]", "\ufffd");
    }

    private static void field(PrintWriter out, String name, String value) {
        if (!value.isEmpty()) {
            out.println("%-9s %s".formatted(name, LogsCommand.printable(value).replace('\n', ' ')));
        }
    }

    private Optional<String> detail(String name) {
        return approval.object("detail")
                .map(detail -> detail.shown(name))
                .filter(text -> !text.isBlank());
    }
}
