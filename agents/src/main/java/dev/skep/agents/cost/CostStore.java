package dev.skep.agents.cost;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table {@code costs}: append-only. */
public final class CostStore {
    private final Database database;
    private final OwnRowWriter own;

    public CostStore(Database database, OwnRowWriter own) {
        this.database = database;
        this.own = own;
    }

    public void append(Transaction transaction, Cost cost) {
        own.put(transaction, Cost.ROWS, cost, cost.at());
    }

    /** When an agent of this host spent how much. */
    public record Spent(AgentId agent, Instant at, long micros) {}

    /** What this host spent since then, the oldest first. */
    public List<Spent> spentHereSince(Instant since) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                """
                                SELECT user_id, cost, created_at FROM costs
                                WHERE org_id = ? AND host_id = ? AND created_at >= ? AND cost > 0
                                ORDER BY created_at, id
                                """,
                                row ->
                                        new Spent(
                                                new AgentId(row.text("user_id")),
                                                row.time("created_at"),
                                                row.number("cost")),
                                own.org().value(),
                                own.self().value(),
                                Timestamps.format(since)));
    }

    /** Calls since then (or all), added up, the dearest first; of one agent or of all. */
    public List<CostSummary> summarize(
            Principal who, CostSummary.By by, @Nullable AgentId agent, @Nullable Instant since) {
        String sql =
                """
                SELECT %1$s AS grouped, count(*) AS calls, CAST(sum(cost) AS BIGINT) AS cost,
                       CAST(sum(input_tokens) AS BIGINT) AS input_tokens,
                       CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
                       CAST(sum(cache_write_tokens) AS BIGINT) AS cache_write_tokens,
                       CAST(sum(cache_read_tokens) AS BIGINT) AS cache_read_tokens
                FROM costs WHERE org_id = ? AND created_at >= ? AND (user_id = ? OR ? = '')
                GROUP BY %1$s ORDER BY cost DESC, grouped
                """
                        .formatted(by.sql());
        String only = agent == null ? "" : agent.value();
        return database.read(
                snapshot ->
                        snapshot.list(
                                sql,
                                CostStore::summary,
                                who.org().value(),
                                since == null ? "" : Timestamps.format(since),
                                only,
                                only));
    }

    private static CostSummary summary(ResultRow row) {
        return new CostSummary(
                row.text("grouped"),
                row.number("calls"),
                row.number("cost"),
                row.number("input_tokens"),
                row.number("output_tokens"),
                row.number("cache_write_tokens"),
                row.number("cache_read_tokens"));
    }
}
