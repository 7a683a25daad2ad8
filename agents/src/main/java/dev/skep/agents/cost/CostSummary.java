package dev.skep.agents.cost;

/**
 * Calls added up.
 *
 * @param group the value they have in common: an agent's id, a session, a model, a source
 */
public record CostSummary(
        String group,
        long calls,
        long micros,
        long inputTokens,
        long outputTokens,
        long cacheWriteTokens,
        long cacheReadTokens) {

    /** What calls are added up by. */
    public enum By {
        AGENT("user_id"),
        SESSION("run_id || '/' || session_id"),
        MODEL("model"),
        SOURCE("source");

        private final String sql;

        By(String sql) {
            this.sql = sql;
        }

        String sql() {
            return sql;
        }
    }
}
