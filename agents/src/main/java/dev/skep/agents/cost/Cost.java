package dev.skep.agents.cost;

import dev.skep.agents.AgentTables;
import dev.skep.agents.session.SessionKey;
import dev.skep.store.feed.RowCodec;
import java.time.Instant;

/**
 * One paid model call.
 *
 * @param source why the model was asked: {@code turn}, {@code compaction}, {@code interrupted}
 * @param micros micro-dollars
 */
public record Cost(
        String id,
        SessionKey session,
        String source,
        String model,
        long micros,
        long inputTokens,
        long outputTokens,
        long cacheWriteTokens,
        long cacheReadTokens,
        Instant at) {

    public static final RowCodec<Cost> ROWS =
            RowCodec.<Cost>of(AgentTables.COSTS)
                    .column("id", Cost::id)
                    .column("user_id", cost -> cost.session().agent().value())
                    .column("run_id", cost -> cost.session().run())
                    .column("session_id", cost -> Integer.toString(cost.session().session()))
                    .column("source", Cost::source)
                    .column("model", Cost::model)
                    .column("cost", Cost::micros)
                    .column("input_tokens", Cost::inputTokens)
                    .column("output_tokens", Cost::outputTokens)
                    .column("cache_write_tokens", Cost::cacheWriteTokens)
                    .column("cache_read_tokens", Cost::cacheReadTokens)
                    .column("created_at", Cost::at)
                    .reads(
                            row ->
                                    new Cost(
                                            row.text("id"),
                                            SessionKey.read(row),
                                            row.text("source"),
                                            row.text("model"),
                                            row.number("cost"),
                                            row.number("input_tokens"),
                                            row.number("output_tokens"),
                                            row.number("cache_write_tokens"),
                                            row.number("cache_read_tokens"),
                                            row.time("created_at")));
}
