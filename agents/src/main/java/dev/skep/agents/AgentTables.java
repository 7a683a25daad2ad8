package dev.skep.agents;

import static dev.skep.kernel.row.Column.LINE;
import static dev.skep.kernel.row.Column.NAME;
import static dev.skep.kernel.row.Column.PARAGRAPH;
import static dev.skep.kernel.row.Column.ROW;
import static dev.skep.kernel.row.Column.integer;
import static dev.skep.kernel.row.Column.text;

import dev.skep.kernel.row.SyncTable;
import java.util.List;

/** The synced tables of agents, by the names the seeds gave them. */
public final class AgentTables {
    public static final SyncTable USERS =
            SyncTable.forwarded(
                    "users",
                    List.of("id"),
                    text("id"),
                    text("username").upTo(NAME),
                    text("title").upTo(LINE).optional(),
                    text("kind"),
                    text("agent_path").upTo(LINE).optional(),
                    text("lead_user_id").optional(),
                    text("config").upTo(ROW).optional(),
                    integer("name_conflict"),
                    text("deleted_at").optional(),
                    // Former owners: their mail from that time is still valid.
                    text("former_hosts").upTo(LINE).optional(),
                    // The agent of the same host it turned out to be.
                    text("same_as").optional(),
                    // The number of its file's newest version.
                    integer("config_version").optional());

    public static final SyncTable USER_NOTIFICATIONS =
            SyncTable.forwarded(
                            "user_notifications",
                            List.of("user_id"),
                            text("user_id"),
                            text("latest_log_id").optional(),
                            text("latest_mail_id").optional(),
                            text("last_active").optional(),
                            text("status").optional(),
                            integer("budget_left").optional(),
                            text("status_reason").upTo(LINE).optional())
                    .writtenFor("user_id");

    public static final SyncTable MAIL_MESSAGES =
            SyncTable.forwarded(
                            "mail_messages",
                            List.of("id"),
                            text("id"),
                            text("from_user_id"),
                            text("subject").upTo(PARAGRAPH),
                            text("body").upTo(ROW),
                            text("reply_to_id").optional())
                    .writtenFor("from_user_id")
                    .once();

    public static final SyncTable MAIL_RECIPIENTS =
            SyncTable.forwarded(
                            "mail_recipients",
                            List.of("id"),
                            text("id"),
                            text("message_id"),
                            text("user_id"),
                            text("type"))
                    .once();

    public static final SyncTable MAIL_STATUS =
            SyncTable.forwarded(
                            "mail_status",
                            List.of("message_id", "user_id"),
                            text("id"),
                            text("message_id"),
                            text("user_id"),
                            text("read_at").optional(),
                            text("archived_at").optional())
                    .writtenFor("user_id");

    public static final SyncTable RUN_SESSION =
            SyncTable.hubOnly(
                            "run_session",
                            List.of("user_id", "run_id", "session_id"),
                            text("user_id"),
                            text("run_id"),
                            text("session_id"),
                            text("model_name").optional(),
                            text("latest_log_id").optional(),
                            integer("total_lines"),
                            integer("total_cost"),
                            text("last_active").optional(),
                            text("ended_reason").upTo(PARAGRAPH).optional())
                    .writtenFor("user_id")
                    .keptWhile("ended_reason IS NULL");

    public static final SyncTable CONTEXT_LOG =
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
                            text("message").upTo(ROW),
                            // What programs read of the line; the message is for people.
                            text("detail").upTo(ROW).optional())
                    .writtenFor("user_id")
                    .once();

    public static final SyncTable COSTS =
            SyncTable.hubOnly(
                            "costs",
                            List.of("id"),
                            text("id"),
                            text("user_id"),
                            text("run_id"),
                            text("session_id"),
                            text("source"),
                            text("model"),
                            integer("cost"),
                            integer("input_tokens"),
                            integer("output_tokens"),
                            integer("cache_write_tokens"),
                            integer("cache_read_tokens"))
                    .writtenFor("user_id")
                    .once();

    /**
     * A ring of slots per agent, so that old versions make room in every database by themselves.
     */
    public static final SyncTable AGENT_VERSIONS =
            SyncTable.hubOnly(
                            "agent_versions",
                            List.of("user_id", "slot"),
                            text("user_id"),
                            text("slot"),
                            integer("number"),
                            text("hash"),
                            text("author").optional(),
                            text("hub").optional(),
                            text("reason").upTo(LINE).optional(),
                            // The job that asked for it, which is done if it is there.
                            text("change_id").optional(),
                            text("content").upTo(ROW))
                    .writtenFor("user_id");

    public static final List<SyncTable> ALL =
            List.of(
                    USERS,
                    USER_NOTIFICATIONS,
                    MAIL_MESSAGES,
                    MAIL_RECIPIENTS,
                    MAIL_STATUS,
                    RUN_SESSION,
                    CONTEXT_LOG,
                    COSTS,
                    AGENT_VERSIONS);

    private AgentTables() {}
}
