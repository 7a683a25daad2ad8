package dev.skep.agents;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
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
        boolean isSameAs(Notification other) {
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

    /** Stores a change of an agent of this host if it is worth a row; returns whether it was. */
    public boolean add(Notification notification) {
        Instant now = clock.instant();
        Written before = written.get(notification.agent());
        if (before != null
                && before.isSameAs(notification)
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
                            Notification.ROWS,
                            notification.agent(),
                            notification,
                            now);
                    return true;
                });
        return true;
    }

    public List<Notification> all(Principal who) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                "SELECT %s FROM user_notifications WHERE org_id = ?"
                                        .formatted(Notification.ROWS.columns()),
                                Notification.ROWS::read,
                                who.org().value()));
    }
}
