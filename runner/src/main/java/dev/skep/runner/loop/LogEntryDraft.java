package dev.skep.runner.loop;

import dev.skep.agents.session.DecisionLine;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.LogEntry.Source;
import dev.skep.models.CommandCall;
import dev.skep.runner.approval.Approval;
import dev.skep.runner.command.CommandResult;
import org.jspecify.annotations.Nullable;

/** A line of the log before it has an id; the ways there are to make one. */
public record LogEntryDraft(
        LogEntry.Role role,
        Source source,
        LogEntry.Type type,
        String message,
        @Nullable String detail) {
    LogEntryDraft(LogEntry.Role role, Source source, LogEntry.Type type, String message) {
        this(role, source, type, message, null);
    }

    /** What a runtime did or said. */
    public static LogEntryDraft ofRuntime(
            LogEntry.Type type, String message, @Nullable String detail) {
        return new LogEntryDraft(LogEntry.Role.ASSISTANT, Source.RUNTIME, type, message, detail);
    }

    /** The same line, with what programs read of it. */
    public LogEntryDraft withDetail(String json) {
        return new LogEntryDraft(role, source, type, message, json);
    }

    /** The agent's prompt as its file says it, nothing filled in. */
    public static LogEntryDraft instructions(String prompt) {
        return new LogEntryDraft(
                LogEntry.Role.SYSTEM, Source.RUNNER, LogEntry.Type.INSTRUCTIONS, prompt);
    }

    /** A command of the agent's own file, nothing filled in. */
    static LogEntryDraft startCommand(String command) {
        return new LogEntryDraft(
                LogEntry.Role.SYSTEM, Source.RUNNER, LogEntry.Type.COMMAND, command);
    }

    public static LogEntryDraft prompt(String text) {
        return new LogEntryDraft(LogEntry.Role.USER, Source.RUNNER, LogEntry.Type.PROMPT, text);
    }

    public static LogEntryDraft talk(String text) {
        return new LogEntryDraft(LogEntry.Role.USER, Source.OPERATOR, LogEntry.Type.TALK, text);
    }

    static LogEntryDraft reply(String text) {
        return new LogEntryDraft(LogEntry.Role.ASSISTANT, Source.MODEL, LogEntry.Type.REPLY, text);
    }

    /** What a model called; what it called instead of a command is never run. */
    static LogEntryDraft of(CommandCall call) {
        Source source = call.problem() == null ? Source.MODEL : Source.RUNNER;
        return new LogEntryDraft(
                LogEntry.Role.ASSISTANT, source, LogEntry.Type.COMMAND, call.command());
    }

    static boolean isWrongCall(LogEntry entry) {
        return entry.type() == LogEntry.Type.COMMAND
                && entry.role() == LogEntry.Role.ASSISTANT
                && entry.source() == Source.RUNNER;
    }

    static LogEntryDraft output(Source source, String text) {
        return new LogEntryDraft(LogEntry.Role.USER, source, LogEntry.Type.OUTPUT, text);
    }

    static LogEntryDraft output(Source source, CommandResult result) {
        return new LogEntryDraft(
                LogEntry.Role.USER, source, LogEntry.Type.OUTPUT, result.text(), result.detail());
    }

    public static LogEntryDraft notice(String text) {
        return new LogEntryDraft(LogEntry.Role.SYSTEM, Source.RUNNER, LogEntry.Type.NOTICE, text);
    }

    public static LogEntryDraft decision(Approval decided) {
        DecisionLine line = decided.line();
        return new LogEntryDraft(
                LogEntry.Role.SYSTEM,
                Source.RUNNER,
                LogEntry.Type.DECISION,
                line.text(),
                line.detail(decided.id()));
    }

    public static LogEntryDraft error(Source source, String text) {
        return new LogEntryDraft(LogEntry.Role.SYSTEM, source, LogEntry.Type.ERROR, text);
    }
}
