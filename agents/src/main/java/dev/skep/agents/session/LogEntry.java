package dev.skep.agents.session;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One line of an agent's log; ids strictly increase within a session.
 *
 * @param message for people
 * @param detail what programs read of the line, as a JSON object; null if the message says it all
 */
public record LogEntry(
        String id,
        SessionKey session,
        Role role,
        Source source,
        Type type,
        String message,
        @Nullable String detail,
        Instant at) {

    /** A line whose message says it all. */
    public LogEntry(
            String id,
            SessionKey session,
            Role role,
            Source source,
            Type type,
            String message,
            Instant at) {
        this(id, session, role, source, type, message, null, at);
    }

    /** The role, in the terms of models. */
    public enum Role {
        SYSTEM,
        USER,
        ASSISTANT
    }

    /** Where it came from. */
    public enum Source {
        RUNNER,
        MODEL,
        SHELL,
        COMMAND,
        OPERATOR,
        /** The program that thinks for a managed agent. */
        RUNTIME
    }

    /** What it is. */
    public enum Type {
        /** The agent's prompt as written in its file. */
        INSTRUCTIONS,
        /** Time, place, budget and new mail at the start of a turn. */
        PROMPT,
        /** What an operator said to the agent. */
        TALK,
        /** What the model said beside its commands; empty if it said nothing. */
        REPLY,
        /** A command the model wants run. */
        COMMAND,
        /** What a command printed. */
        OUTPUT,
        /** What the model made of an earlier session. */
        SUMMARY,
        /** What a runtime says that it thinks. */
        THOUGHT,
        /** A runtime began to use a tool; the detail has its id, kind and input. */
        TOOL_CALL,
        /** How the use of a tool ended; the detail has its id, status, files and diffs. */
        TOOL_RESULT,
        /** What a runtime plans to do, whole each time; the detail has the steps. */
        PLAN,
        /** The end of a turn; the detail has its reason. */
        TURN_END,
        /** Something for people; the model does not see it. */
        NOTICE,
        /** What a person decided about a command; the model does not see it. */
        DECISION,
        ERROR
    }

    static LogEntry of(LogRow row) {
        return new LogEntry(
                row.id(),
                new SessionKey(new AgentId(row.agent()), row.run(), row.session()),
                read(Role.values(), row.role(), Role.SYSTEM),
                read(Source.values(), row.source(), Source.RUNNER),
                read(Type.values(), row.type(), Type.NOTICE),
                row.message(),
                row.detail(),
                row.at());
    }

    LogRow row(HostId host) {
        return new LogRow(
                id,
                session.agent().value(),
                session.run(),
                session.session(),
                host.value(),
                stored(role),
                stored(source),
                stored(type),
                message,
                detail,
                at);
    }

    static <E extends Enum<E>> String stored(E value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Reads a stored word; one a newer version wrote becomes the fallback. */
    private static <E extends Enum<E>> E read(E[] values, String stored, E fallback) {
        for (E value : values) {
            if (stored(value).equals(stored)) {
                return value;
            }
        }
        return fallback;
    }
}
