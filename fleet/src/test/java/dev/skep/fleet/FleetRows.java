package dev.skep.fleet;

import dev.skep.agents.AgentTables;
import dev.skep.directory.module.HostProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Rows in one database: those its host writes, and those it has. */
final class FleetRows {
    private static final String TIME = "2027-01-01T00:00:00.000000Z";

    private final HostProcess process;
    private @Nullable String author;

    FleetRows(HostProcess process) {
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
                                    .ownRowWriter()
                                    .put(
                                            tx,
                                            AgentTables.USERS,
                                            AgentTables.USERS.values(
                                                    "id, username, kind, name_conflict, created_at, updated_at",
                                                    id,
                                                    name,
                                                    "agent",
                                                    0L,
                                                    TIME,
                                                    TIME));
                            return id;
                        });
        return id;
    }

    /**
     * The agent of this host that writes mail and logs here; its row is stored before the first.
     */
    private String author() {
        String known = author;
        if (known == null) {
            known = agent("writer-" + process.host().id());
            author = known;
        }
        return known;
    }

    /** The name of the agent of this host that writes mail here. */
    String writer() {
        return texts("SELECT username FROM users WHERE id = ?", author()).getFirst();
    }

    /** Stores a mail and returns when it is durable. */
    String mail(String subject) {
        String id = process.ids().next();
        String from = author();
        process.database()
                .write(
                        tx -> {
                            process.host()
                                    .ownRowWriter()
                                    .put(
                                            tx,
                                            AgentTables.MAIL_MESSAGES,
                                            AgentTables.MAIL_MESSAGES.values(
                                                    "id, from_user_id, subject, body, created_at, updated_at",
                                                    id,
                                                    from,
                                                    subject,
                                                    "text",
                                                    TIME,
                                                    TIME));
                            return id;
                        });
        return id;
    }

    /** Stores a mail to somebody, whatever this database knows of them. */
    String mailTo(String agent, String subject) {
        String message = mail(subject);
        process.database()
                .write(
                        tx -> {
                            process.host()
                                    .ownRowWriter()
                                    .put(
                                            tx,
                                            AgentTables.MAIL_RECIPIENTS,
                                            AgentTables.MAIL_RECIPIENTS.values(
                                                    "id, message_id, user_id, type, created_at, updated_at",
                                                    process.ids().next(),
                                                    message,
                                                    agent,
                                                    "to",
                                                    TIME,
                                                    TIME));
                            return message;
                        });
        return message;
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
        return AgentTables.CONTEXT_LOG.values(
                "id, user_id, run_id, session_id, role, source, type, message, created_at, updated_at",
                process.ids().next(),
                author(),
                "run",
                "1",
                "assistant",
                "llm",
                "text",
                message,
                TIME,
                TIME);
    }

    private void putLogs(List<@Nullable Object[]> rows) {
        process.database()
                .write(
                        tx -> {
                            process.host()
                                    .ownRowWriter()
                                    .putAll(tx, AgentTables.CONTEXT_LOG, 0, rows);
                            return rows.size();
                        });
    }

    Set<String> ids(String table) {
        List<String> ids =
                process.database()
                        .read(db -> db.list("SELECT id FROM " + table, row -> row.text("id")));
        return new TreeSet<>(ids);
    }

    List<String> texts(String sql, Object... parameters) {
        return process.database()
                .read(db -> db.list(sql, row -> String.valueOf(row.textOrNull(1)), parameters));
    }

    long number(String sql) {
        return process.database().read(db -> db.first(sql, row -> row.number(1)).orElse(-1L));
    }
}
