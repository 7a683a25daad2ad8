package dev.skep.agents.cost;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table {@code costs}, added up: also on a hub, which has the rows of all hosts. */
public final class CostTotalsStore {
    private final Database database;

    public CostTotalsStore(Database database) {
        this.database = database;
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
                                CostTotalsStore::summary,
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
