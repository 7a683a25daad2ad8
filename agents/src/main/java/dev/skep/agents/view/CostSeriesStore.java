package dev.skep.agents.view;

import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Costs over time. */
public final class CostSeriesStore {
    private final Database database;

    public CostSeriesStore(Database database) {
        this.database = database;
    }

    /** What costs are grouped by. */
    public enum By {
        AGENT("user_id"),
        HOST("host_id"),
        MODEL("model");

        private final String column;

        By(String column) {
            this.column = column;
        }
    }

    /** How long a bucket is. */
    public enum Unit {
        HOUR(13),
        DAY(10);

        private final int characters;

        Unit(int characters) {
            this.characters = characters;
        }
    }

    /** Narrows the costs; what is empty does not. */
    public record Filter(
            Instant since,
            Instant until,
            Optional<String> host,
            Optional<String> agent,
            Optional<String> model) {}

    /** Sums in order of time. */
    public List<CostBucket> series(Principal who, By by, Unit unit, Filter filter) {
        WhereClause where =
                new WhereClause(
                                "org_id = ? AND created_at >= ? AND created_at < ?",
                                who.org().value(),
                                Timestamps.format(filter.since()),
                                Timestamps.format(filter.until()))
                        .and("host_id = ?", filter.host())
                        .and("user_id = ?", filter.agent())
                        .and("model = ?", filter.model());
        String sql =
                """
                SELECT substr(created_at, 1, %1$d) AS bucket, %2$s AS grouped, count(*) AS calls,
                       CAST(sum(cost) AS BIGINT) AS cost, CAST(sum(input_tokens) AS BIGINT) AS input,
                       CAST(sum(output_tokens) AS BIGINT) AS output,
                       CAST(sum(cache_read_tokens + cache_write_tokens) AS BIGINT) AS cached
                FROM costs WHERE %3$s
                GROUP BY substr(created_at, 1, %1$d), %2$s ORDER BY bucket, cost DESC
                """
                        .formatted(unit.characters, by.column, where);
        return database.read(
                snapshot -> snapshot.list(sql, CostSeriesStore::bucket, where.parameters()));
    }

    private static CostBucket bucket(ResultRow row) {
        return new CostBucket(
                row.text("bucket"),
                row.text("grouped"),
                row.number("calls"),
                row.number("cost"),
                row.number("input"),
                row.number("output"),
                row.number("cached"));
    }
}
