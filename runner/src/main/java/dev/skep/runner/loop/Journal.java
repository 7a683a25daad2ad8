package dev.skep.runner.loop;

import dev.skep.agents.Agent;
import dev.skep.agents.cost.Cost;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.RunSession;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.money.CountedPrompt;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes one agent's session: lines, costs and the session's own row, redacted and in one
 * transaction each. The session's sums are stored at most once a minute and when it ends; a restart
 * counts them anew. Not thread-safe.
 */
final class Journal {
    private static final Duration SUMS_AT_MOST_EVERY = Duration.ofMinutes(1);

    private final Tools tools;
    private final Agent agent;
    private final Principal who;
    private RunSession session;
    private Instant sumsStored;

    Journal(Tools tools, Agent agent, Principal who, RunSession session) {
        this.tools = tools;
        this.agent = agent;
        this.who = who;
        this.session = session;
        this.sumsStored = session.lastActive();
    }

    /** Begins to write a session that nobody has stored yet. */
    static Journal begin(Tools tools, Agent agent, Principal who, RunSession session) {
        tools.sessions().put(session);
        return new Journal(tools, agent, who, session);
    }

    RunSession session() {
        return session;
    }

    List<LogEntry> write(Line... lines) {
        return write(List.of(lines), null, null);
    }

    /** Stores the lines, and what their call cost and counted with them; returns them as stored. */
    List<LogEntry> write(List<Line> lines, @Nullable Cost cost, @Nullable CountedPrompt counted) {
        Instant now = tools.clock().instant();
        List<LogEntry> entries = new ArrayList<>(lines.size());
        for (Line line : lines) {
            entries.add(
                    new LogEntry(
                            tools.ids().next(),
                            session.key(),
                            line.role(),
                            line.source(),
                            line.type(),
                            tools.redactor().redact(line.message()),
                            now));
        }
        String last = entries.isEmpty() ? session.latestLogId() : entries.getLast().id();
        session =
                session.grown(
                        last == null ? "" : last,
                        entries.size(),
                        cost == null ? 0 : cost.micros(),
                        now);
        tools.database()
                .write(
                        transaction -> {
                            if (counted != null && !entries.isEmpty()) {
                                tools.countedPrompts()
                                        .put(
                                                transaction,
                                                who,
                                                agent.id(),
                                                counted.storedWith(entries.getLast().id()));
                            }
                            return store(transaction, entries, cost, now);
                        });
        entries.forEach(entry -> tools.watcher().logged(agent, entry));
        return entries;
    }

    private boolean store(
            Transaction transaction, List<LogEntry> entries, @Nullable Cost cost, Instant now) {
        tools.log().append(transaction, entries);
        if (cost != null) {
            tools.costs().append(transaction, cost);
            tools.openCalls().end(transaction, cost.id());
        }
        if (!now.isBefore(sumsStored.plus(SUMS_AT_MOST_EVERY))) {
            tools.sessions().put(transaction, session);
            sumsStored = now;
        }
        return true;
    }

    /** Stores what a call cost that brought no reply. */
    void charge(Cost cost) {
        boolean counts = cost.micros() > 0 || cost.inputTokens() > 0;
        tools.database()
                .write(
                        transaction -> {
                            if (counts) {
                                tools.costs().append(transaction, cost);
                            }
                            tools.openCalls().end(transaction, cost.id());
                            return counts;
                        });
    }

    /** Ends the session. */
    void end(String reason) {
        session = session.ended(reason, tools.clock().instant());
        tools.sessions().put(session);
    }

    /** Stores the sums, for a session that stays open. */
    void keep() {
        tools.sessions().put(session);
    }

    /** Ends the session as compacted and begins the next of the run with its summary, at once. */
    List<LogEntry> compact(String summary, @Nullable Cost cost) {
        Instant now = tools.clock().instant();
        RunSession ended =
                session.grown(
                                session.latestLogId() == null ? "" : session.latestLogId(),
                                0,
                                cost == null ? 0 : cost.micros(),
                                now)
                        .ended("compacted", now);
        LogEntry entry =
                new LogEntry(
                        tools.ids().next(),
                        session.key().next(),
                        LogEntry.Role.USER,
                        LogEntry.Source.MODEL,
                        LogEntry.Type.SUMMARY,
                        tools.redactor().redact(summary),
                        now);
        RunSession next =
                RunSession.begun(session.key().next(), session.model(), now)
                        .grown(entry.id(), 1, 0, now);
        tools.database()
                .write(
                        transaction -> {
                            tools.sessions().put(transaction, ended);
                            tools.sessions().put(transaction, next);
                            return store(transaction, List.of(entry), cost, now);
                        });
        session = next;
        tools.watcher().logged(agent, entry);
        return List.of(entry);
    }
}
