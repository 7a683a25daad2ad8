package dev.skep.agents;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code user_notifications}. Every row travels to every host, so a row is written when
 * the status changes and otherwise at most once a minute. Thread-safe.
 */
public final class NotificationStore {
    static final Duration AT_MOST_EVERY = Duration.ofMinutes(1);

    private record Written(AgentStatus status, @Nullable String reason, Instant at) {
        boolean tells(Notification other) {
            // Why an agent tries again changes often; why it gave up is what people act upon.
            return status == other.status()
                    && (status != AgentStatus.FAILED || Objects.equals(reason, other.reason()));
        }
    }

    private final Database database;
    private final OwnRowWriter own;
    private final InstantSource clock;
    private final Map<AgentId, Written> written = new ConcurrentHashMap<>();

    public NotificationStore(Database database, OwnRowWriter own, InstantSource clock) {
        this.database = database;
        this.own = own;
        this.clock = clock;
    }

    /** Stores what is new about an agent of this host if it is worth a row; says whether it was. */
    public boolean tell(Notification notification) {
        Instant now = clock.instant();
        Written before = written.get(notification.agent());
        if (before != null
                && before.tells(notification)
                && now.isBefore(before.at().plus(AT_MOST_EVERY))) {
            return false;
        }
        written.put(
                notification.agent(),
                new Written(notification.status(), notification.reason(), now));
        database.write(
                transaction -> {
                    AgentStore.putMoving(
                            own,
                            transaction,
                            AgentTables.USER_NOTIFICATIONS,
                            notification.agent(),
                            notification.agent().value(),
                            notification.latestLogId(),
                            notification.latestMailId(),
                            format(notification.lastActive()),
                            notification.status().stored(),
                            notification.budgetLeft(),
                            notification.reason(),
                            Timestamps.format(now),
                            Timestamps.format(now));
                    return true;
                });
        return true;
    }

    public List<Notification> all(Principal who) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                """
                                SELECT user_id, latest_log_id, latest_mail_id, last_active, status,
                                       budget_left, status_reason
                                FROM user_notifications WHERE org_id = ?
                                """,
                                NotificationStore::notification,
                                who.org().value()));
    }

    private static Notification notification(ResultRow row) {
        String status = row.textOrNull("status");
        return new Notification(
                new AgentId(row.text("user_id")),
                row.textOrNull("latest_log_id"),
                row.textOrNull("latest_mail_id"),
                row.timeOrNull("last_active"),
                AgentStatus.of(status == null ? "" : status),
                row.numberOrNull("budget_left"),
                row.textOrNull("status_reason"));
    }

    private static @Nullable String format(@Nullable Instant instant) {
        return instant == null ? null : Timestamps.format(instant);
    }
}
