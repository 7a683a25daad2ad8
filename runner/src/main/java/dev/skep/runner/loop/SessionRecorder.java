package dev.skep.runner.loop;

import dev.skep.agents.Agent;
import dev.skep.agents.cost.Cost;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.RunSession;
import dev.skep.agents.session.SessionKey;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.money.CountedPrompt;
import dev.skep.store.Transaction;
import dev.skep.transport.route.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes one agent's session: lines, costs and the session's own row, redacted and in one
 * transaction each. The session's sums are stored at most once a minute and when it ends; a restart
 * counts them anew. Not thread-safe.
 */
public final class SessionRecorder {
    private static final Duration SUMS_AT_MOST_EVERY = Duration.ofMinutes(1);

    private final AgentDependencies agentDependencies;
    private final Agent agent;
    private final Principal who;
    private RunSession session;
    private Instant sumsStored;

    public SessionRecorder(
            AgentDependencies agentDependencies, Agent agent, Principal who, RunSession session) {
        this.agentDependencies = agentDependencies;
        this.agent = agent;
        this.who = who;
        this.session = session;
        this.sumsStored = session.lastActive();
    }

    /** Begins to write a session that nobody has stored yet. */
    static SessionRecorder begin(
            AgentDependencies agentDependencies, Agent agent, Principal who, RunSession session) {
        agentDependencies.sessions().put(session);
        return new SessionRecorder(agentDependencies, agent, who, session);
    }

    /** Goes on with the session that an agent left open, or begins a new run. */
    public static SessionRecorder resumed(
            AgentDependencies agentDependencies, Agent agent, Principal who, String model) {
        Optional<RunSession> before = agentDependencies.sessions().toResume(agent.id());
        if (before.isPresent()) {
            return new SessionRecorder(
                    agentDependencies, agent, who, before.get().withModel(model));
        }
        SessionKey key = new SessionKey(agent.id(), agentDependencies.ids().next(), 1);
        return begin(
                agentDependencies,
                agent,
                who,
                RunSession.begun(key, model, agentDependencies.clock().instant()));
    }

    public RunSession session() {
        return session;
    }

    public List<LogEntry> write(LogEntryDraft... logEntryDrafts) {
        return write(List.of(logEntryDrafts), null, null);
    }

    /** Stores the lines, and what their call cost and counted with them; returns them as stored. */
    List<LogEntry> write(
            List<LogEntryDraft> logEntryDrafts,
            @Nullable Cost cost,
            @Nullable CountedPrompt counted) {
        Instant now = agentDependencies.clock().instant();
        List<LogEntry> entries = new ArrayList<>(logEntryDrafts.size());
        for (LogEntryDraft logEntryDraft : logEntryDrafts) {
            entries.add(
                    new LogEntry(
                            agentDependencies.ids().next(),
                            session.key(),
                            logEntryDraft.role(),
                            logEntryDraft.source(),
                            logEntryDraft.type(),
                            agentDependencies.redactor().redact(logEntryDraft.message()),
                            redacted(logEntryDraft.detail()),
                            now));
        }
        String last = entries.isEmpty() ? session.latestLogId() : entries.getLast().id();
        session =
                session.grown(
                        last == null ? "" : last,
                        entries.size(),
                        cost == null ? 0 : cost.micros(),
                        now);
        agentDependencies
                .database()
                .write(
                        transaction -> {
                            if (counted != null && !entries.isEmpty()) {
                                agentDependencies
                                        .countedPrompts()
                                        .put(
                                                transaction,
                                                who,
                                                agent.id(),
                                                counted.storedWith(entries.getLast().id()));
                            }
                            return store(transaction, entries, cost, now);
                        });
        entries.forEach(entry -> agentDependencies.watcher().logged(agent, entry));
        return entries;
    }

    private boolean store(
            Transaction transaction, List<LogEntry> entries, @Nullable Cost cost, Instant now) {
        agentDependencies.log().append(transaction, entries);
        if (cost != null) {
            agentDependencies.costs().append(transaction, cost);
            agentDependencies.openCalls().end(transaction, cost.id());
        }
        if (!now.isBefore(sumsStored.plus(SUMS_AT_MOST_EVERY))) {
            agentDependencies.sessions().put(transaction, session);
            sumsStored = now;
        }
        return true;
    }

    /** Text by text: what looks like a secret across two of them must not break the JSON. */
    private @Nullable String redacted(@Nullable String detail) {
        return detail == null ? null : Json.mapped(detail, agentDependencies.redactor()::redact);
    }

    /** Counts what another has stored already as a cost of this session. */
    public void booked(Cost cost) {
        String last = session.latestLogId();
        session =
                session.grown(
                        last == null ? "" : last,
                        0,
                        cost.micros(),
                        agentDependencies.clock().instant());
    }

    /** Stores what a call cost that brought no reply. */
    void charge(Cost cost) {
        boolean counts = cost.micros() > 0 || cost.inputTokens() > 0;
        agentDependencies
                .database()
                .write(
                        transaction -> {
                            if (counts) {
                                agentDependencies.costs().append(transaction, cost);
                            }
                            agentDependencies.openCalls().end(transaction, cost.id());
                            return counts;
                        });
    }

    /** Ends the session. */
    public void end(String reason) {
        session = session.ended(reason, agentDependencies.clock().instant());
        agentDependencies.sessions().put(session);
    }

    /** Stores the sums, for a session that stays open. */
    public void keep() {
        agentDependencies.sessions().put(session);
    }

    /** Ends the session as compacted and begins the next of the run with its summary, at once. */
    List<LogEntry> compact(String summary, @Nullable Cost cost) {
        Instant now = agentDependencies.clock().instant();
        RunSession ended =
                session.grown(
                                session.latestLogId() == null ? "" : session.latestLogId(),
                                0,
                                cost == null ? 0 : cost.micros(),
                                now)
                        .ended("compacted", now);
        LogEntry entry =
                new LogEntry(
                        agentDependencies.ids().next(),
                        session.key().next(),
                        LogEntry.Role.USER,
                        LogEntry.Source.MODEL,
                        LogEntry.Type.SUMMARY,
                        agentDependencies.redactor().redact(summary),
                        now);
        RunSession next =
                RunSession.begun(session.key().next(), session.model(), now)
                        .grown(entry.id(), 1, 0, now);
        agentDependencies
                .database()
                .write(
                        transaction -> {
                            agentDependencies.sessions().put(transaction, ended);
                            agentDependencies.sessions().put(transaction, next);
                            return store(transaction, List.of(entry), cost, now);
                        });
        session = next;
        agentDependencies.watcher().logged(agent, entry);
        return List.of(entry);
    }
}
