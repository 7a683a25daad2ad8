package dev.skep.agents.view;

import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import dev.skep.directory.host.HostNames;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.transport.route.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The agents of all orgs that cannot go on without a person. */
public final class StuckAgentStore {
    private static final String SELECT =
            """
            SELECT u.org_id, u.id, u.username, %s AS host_name, n.status_reason
            FROM user_notifications n JOIN users u ON u.id = n.user_id
            WHERE n.status = ? AND u.deleted_at IS NULL
            """
                    .formatted(HostNames.sql("u.host_id", "u.org_id"));

    /**
     * An agent, and why it does not go on.
     *
     * @param host what its host is called, or null if that is not known here
     * @param reason null if its host did not say
     */
    public record StuckAgent(
            OrgId org,
            String agent,
            String username,
            @Nullable String host,
            @Nullable String reason) {
        /** The agent as people know it. */
        public String name() {
            return host == null ? username : username + " on " + host;
        }
    }

    public List<StuckAgent> failed(Snapshot snapshot) {
        return snapshot.list(SELECT, StuckAgentStore::read, AgentStatus.FAILED.stored());
    }

    /** Those that were paused because they repeat themselves. */
    public List<StuckAgent> repeating(Snapshot snapshot) {
        return snapshot.list(
                SELECT + " AND n.status_reason = ?",
                StuckAgentStore::read,
                AgentStatus.PAUSED.stored(),
                Notification.IN_CIRCLES);
    }

    /**
     * A command or tool call that waits for a yes.
     *
     * @param approval its id, which is that of its log line
     */
    public record Asking(String approval, StuckAgent agent, String command) {}

    /** Those whose log line is here: without it nobody could decide. */
    public List<Asking> asking(Snapshot snapshot) {
        return snapshot.list(
                """
                SELECT u.org_id, u.id, u.username, %s AS host_name, n.status_reason,
                    c.id AS line, c.message, c.detail
                FROM user_notifications n JOIN users u ON u.id = n.user_id
                JOIN context_log c ON c.id = n.latest_log_id AND c.user_id = u.id
                    AND c.org_id = u.org_id
                WHERE n.status = ? AND u.deleted_at IS NULL
                """
                        .formatted(HostNames.sql("u.host_id", "u.org_id")),
                row ->
                        new Asking(
                                row.text("line"),
                                read(row),
                                command(row.text("message"), row.textOrNull("detail"))),
                AgentStatus.AWAITING_APPROVAL.stored());
    }

    /** What a runtime calls it, or the command itself. */
    private static String command(String message, @Nullable String detail) {
        return Json.fieldsIfObject(detail)
                .map(fields -> fields.shown("command"))
                .filter(command -> !command.isBlank())
                .orElse(message);
    }

    private static StuckAgent read(ResultRow row) {
        return new StuckAgent(
                new OrgId(row.text("org_id")),
                row.text("id"),
                row.text("username"),
                row.textOrNull("host_name"),
                row.textOrNull("status_reason"));
    }
}
