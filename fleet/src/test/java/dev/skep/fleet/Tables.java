package dev.skep.fleet;

import dev.skep.agents.AgentTables;
import dev.skep.app.assembly.HostProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Rows in one database: those its host writes, and those it has. */
final class Tables {
    private static final String TIME = "2027-01-01T00:00:00.000000Z";

    private final HostProcess process;

    Tables(HostProcess process) {
        this.process = process;
    }

    /** An agent of this host. */
    String agent(String name) {
        return agent(process.ids().next(), name);
    }

    String agent(String id, String name) {
        process.database()
                .write(
                        tx -> {
                            process.host()
                                    .rows()
                                    .put(
                                            tx,
                                            AgentTables.USERS,
                                            id,
                                            name,
                                            null,
                                            "agent",
                                            null,
                                            null,
                                            null,
                                            0L,
                                            null,
                                            TIME,
                                            TIME);
                            return id;
                        });
        return id;
    }

    /** Stores a mail and returns when it is durable. */
    String mail(String subject) {
        String id = process.ids().next();
        process.database()
                .write(
                        tx -> {
                            process.host()
                                    .rows()
                                    .put(
                                            tx,
                                            AgentTables.MAIL_MESSAGES,
                                            id,
                                            "somebody",
                                            subject,
                                            "text",
                                            null,
                                            TIME,
                                            TIME);
                            return id;
                        });
        return id;
    }

    /** Stores a log line and returns when it is durable. */
    String log(String message) {
        @Nullable Object[] row = logRow(message);
        putLogs(Collections.singletonList(row));
        return String.valueOf(row[0]);
    }

    /** Stores many log lines. */
    void logs(int count) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(logRow("line " + i));
        }
        putLogs(rows);
    }

    private @Nullable Object[] logRow(String message) {
        return new @Nullable Object[] {
            process.ids().next(),
            "somebody",
            "run",
            "1",
            "assistant",
            "llm",
            "text",
            message,
            TIME,
            TIME
        };
    }

    private void putLogs(List<@Nullable Object[]> rows) {
        process.database()
                .write(
                        tx -> {
                            process.host().rows().putAll(tx, AgentTables.CONTEXT_LOG, 0, rows);
                            return rows.size();
                        });
    }

    Set<String> ids(String table) {
        List<String> ids =
                process.database()
                        .read(db -> db.list("SELECT id FROM " + table, row -> row.text("id")));
        return new TreeSet<>(ids);
    }

    long number(String sql) {
        return process.database().read(db -> db.first(sql, row -> row.number(1)).orElse(-1L));
    }
}
