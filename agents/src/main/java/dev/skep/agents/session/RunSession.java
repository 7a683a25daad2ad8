package dev.skep.agents.session;

import dev.skep.agents.AgentTables;
import dev.skep.store.feed.RowCodec;
import dev.skep.store.feed.RowColumns;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One stretch of an agent running.
 *
 * @param totalCost micro-dollars
 * @param endedReason null while it can go on
 */
public record RunSession(
        SessionKey key,
        String model,
        @Nullable String latestLogId,
        long totalLines,
        long totalCost,
        Instant createdAt,
        Instant lastActive,
        @Nullable String endedReason) {

    public static final RowCodec<RunSession> ROWS =
            RowCodec.<RunSession>of(AgentTables.RUN_SESSION)
                    .column("user_id", session -> session.key().agent().value())
                    .column("run_id", session -> session.key().run())
                    .column("session_id", session -> Integer.toString(session.key().session()))
                    .column("model_name", RunSession::model)
                    .column("latest_log_id", RunSession::latestLogId)
                    .column("total_lines", RunSession::totalLines)
                    .column("total_cost", RunSession::totalCost)
                    .column("last_active", RunSession::lastActive)
                    .column("ended_reason", RunSession::endedReason)
                    .column("created_at", RunSession::createdAt)
                    .reads(RunSession::read);

    private static RunSession read(RowColumns row) {
        String model = row.textOrNull("model_name");
        Instant created = row.time("created_at");
        Instant active = row.timeOrNull("last_active");
        return new RunSession(
                SessionKey.read(row),
                model == null ? "" : model,
                row.textOrNull("latest_log_id"),
                row.number("total_lines"),
                row.number("total_cost"),
                created,
                active == null ? created : active,
                row.textOrNull("ended_reason"));
    }

    public static RunSession begun(SessionKey key, String model, Instant now) {
        return new RunSession(key, model, null, 0, 0, now, now, null);
    }

    /** The session after some lines were logged and some money was spent. */
    public RunSession grown(String logId, int lines, long cost, Instant now) {
        return new RunSession(
                key,
                model,
                logId,
                totalLines + lines,
                totalCost + cost,
                createdAt,
                now,
                endedReason);
    }

    public RunSession ended(String reason, Instant now) {
        return new RunSession(
                key, model, latestLogId, totalLines, totalCost, createdAt, now, reason);
    }

    /** The same with its sums counted anew. */
    RunSession counted(long lines, long cost) {
        return new RunSession(
                key, model, latestLogId, lines, cost, createdAt, lastActive, endedReason);
    }

    /** The same, last active at this time if that is later. */
    public RunSession activeAt(Instant then) {
        return new RunSession(
                key,
                model,
                latestLogId,
                totalLines,
                totalCost,
                createdAt,
                then.isAfter(lastActive) ? then : lastActive,
                endedReason);
    }

    public RunSession withModel(String name) {
        return new RunSession(
                key, name, latestLogId, totalLines, totalCost, createdAt, lastActive, endedReason);
    }
}
