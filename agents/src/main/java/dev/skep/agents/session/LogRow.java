package dev.skep.agents.session;

import dev.skep.agents.AgentTables;
import dev.skep.store.feed.RowCodec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One line of a log, as stored: also words that a newer version wrote. */
public record LogRow(
        String id,
        String agent,
        String run,
        int session,
        String host,
        String role,
        String source,
        String type,
        String message,
        @Nullable String detail,
        Instant at) {

    public static final RowCodec<LogRow> ROWS =
            RowCodec.<LogRow>of(AgentTables.CONTEXT_LOG)
                    .column("id", LogRow::id)
                    .column("user_id", LogRow::agent)
                    .column("run_id", LogRow::run)
                    .column("session_id", line -> Integer.toString(line.session()))
                    .column("role", LogRow::role)
                    .column("source", LogRow::source)
                    .column("type", LogRow::type)
                    .column("message", LogRow::message)
                    .column("detail", LogRow::detail)
                    .column("created_at", LogRow::at)
                    .column("updated_at", LogRow::at)
                    .reads(
                            row ->
                                    new LogRow(
                                            row.text("id"),
                                            row.text("user_id"),
                                            row.text("run_id"),
                                            Integer.parseInt(row.text("session_id")),
                                            row.owner(),
                                            row.text("role"),
                                            row.text("source"),
                                            row.text("type"),
                                            row.text("message"),
                                            row.textOrNull("detail"),
                                            row.time("created_at")));
}
