package dev.skep.benchmark.store;

import dev.skep.agents.AgentTables;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Log lines of about 500 bytes, as agents write them. */
public final class LogRows {
    private static final String TIME = "2027-01-01T00:00:00.000000Z";
    private static final String MESSAGE = "the quick brown fox ".repeat(20);

    private LogRows() {}

    public static List<@Nullable Object[]> batch(int from, int count) {
        return batch(from, count, "01BENCHMARKUSER00000000000");
    }

    public static List<@Nullable Object[]> batch(int from, int count, String agent) {
        List<@Nullable Object[]> rows = new ArrayList<>(count);
        for (int i = from; i < from + count; i++) {
            rows.add(
                    AgentTables.CONTEXT_LOG.values(
                            "id, user_id, run_id, session_id, role, source, type, message, created_at, updated_at",
                            "01BENCHMARKROW%012d".formatted(i),
                            agent,
                            "01BENCHMARKRUN000000000000",
                            "01BENCHMARKSESSION00000000",
                            "assistant",
                            "llm",
                            "text",
                            MESSAGE + i,
                            TIME,
                            TIME));
        }
        return rows;
    }
}
