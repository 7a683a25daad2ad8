package dev.skep.runner.loop;

import dev.skep.agents.session.DecisionLine;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.LogEntry.Source;
import dev.skep.runner.model.CommandCall;

/** A line of the log before it has an id; the ways there are to make one. */
record Line(LogEntry.Role role, Source source, LogEntry.Type type, String message) {
    /** The agent's prompt as its file says it, nothing filled in. */
    static Line instructions(String prompt) {
        return new Line(LogEntry.Role.SYSTEM, Source.RUNNER, LogEntry.Type.INSTRUCTIONS, prompt);
    }

    /** A command of the agent's own file, nothing filled in. */
    static Line startCommand(String command) {
        return new Line(LogEntry.Role.SYSTEM, Source.RUNNER, LogEntry.Type.COMMAND, command);
    }

    static Line prompt(String text) {
        return new Line(LogEntry.Role.USER, Source.RUNNER, LogEntry.Type.PROMPT, text);
    }

    static Line talk(String text) {
        return new Line(LogEntry.Role.USER, Source.OPERATOR, LogEntry.Type.TALK, text);
    }

    static Line reply(String text) {
        return new Line(LogEntry.Role.ASSISTANT, Source.MODEL, LogEntry.Type.REPLY, text);
    }

    /** What a model called; what it called instead of a command is never run. */
    static Line of(CommandCall call) {
        Source source = call.problem() == null ? Source.MODEL : Source.RUNNER;
        return new Line(LogEntry.Role.ASSISTANT, source, LogEntry.Type.COMMAND, call.command());
    }

    static boolean isWrongCall(LogEntry entry) {
        return entry.type() == LogEntry.Type.COMMAND
                && entry.role() == LogEntry.Role.ASSISTANT
                && entry.source() == Source.RUNNER;
    }

    static Line output(Source source, String text) {
        return new Line(LogEntry.Role.USER, source, LogEntry.Type.OUTPUT, text);
    }

    static Line notice(String text) {
        return new Line(LogEntry.Role.SYSTEM, Source.RUNNER, LogEntry.Type.NOTICE, text);
    }

    static Line decision(DecisionLine decision) {
        return new Line(
                LogEntry.Role.SYSTEM, Source.RUNNER, LogEntry.Type.DECISION, decision.text());
    }

    static Line error(Source source, String text) {
        return new Line(LogEntry.Role.SYSTEM, source, LogEntry.Type.ERROR, text);
    }
}
