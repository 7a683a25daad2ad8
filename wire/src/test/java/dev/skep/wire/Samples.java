package dev.skep.wire;

import static dev.skep.kernel.row.Column.integer;
import static dev.skep.kernel.row.Column.text;

import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two tables and rows of them, for the tests of this module. */
final class Samples {
    static final SyncTable LOG =
            SyncTable.hubOnly(
                    "context_log",
                    List.of("id"),
                    text("id"),
                    text("user_id"),
                    text("run_id"),
                    text("session_id"),
                    text("role"),
                    text("source"),
                    text("type"),
                    text("message"));

    static final SyncTable USERS =
            SyncTable.forwarded(
                    "users",
                    List.of("id"),
                    text("id"),
                    text("username"),
                    text("title").optional(),
                    integer("name_conflict"));

    private static final String AT = "2027-01-01T00:00:00.000000Z";

    private Samples() {}

    static MessageCodec codec() {
        Map<String, SyncTable> tables = Map.of("context_log", LOG, "users", USERS);
        return new MessageCodec(name -> Optional.ofNullable(tables.get(name)));
    }

    static SyncRow log(String id, String message) {
        String user = "01HYUSER000000000000000001";
        Object[] values = {
            id, user, "01HYRUN0000000000000000001", "1", "assistant", "llm", "text", message, AT, AT
        };
        return new SyncRow("01HYHOST000000000000000001", 0, 77, values, null);
    }

    static SyncRow user(String id, String name) {
        return new SyncRow(
                "01HYHOST000000000000000001",
                3,
                78,
                new Object[] {id, name, null, 0L, AT, AT},
                null);
    }
}
