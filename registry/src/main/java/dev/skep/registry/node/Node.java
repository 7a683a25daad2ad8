package dev.skep.registry.node;

import dev.skep.kernel.id.HostId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One live agent process, or what is remembered of it.
 *
 * @param host at whose registry it registered: the owner of its row
 * @param registeredAt when it first registered
 * @param reconnects how often it came back since then
 */
public record Node(
        HostId host,
        String id,
        String machine,
        String cwd,
        int port,
        @Nullable Long pid,
        Status status,
        Instant registeredAt,
        Instant lastSeenAt,
        @Nullable Instant offlineSince,
        long reconnects) {

    /** Whether a node can be reached; the lower-case name stands on disk and wire. */
    public enum Status {
        ACTIVE("active"),
        OFFLINE("offline");

        private final String stored;

        Status(String stored) {
            this.stored = stored;
        }

        public String stored() {
            return stored;
        }

        public static Status of(String stored) {
            return switch (stored) {
                case "active" -> ACTIVE;
                case "offline" -> OFFLINE;
                default -> throw new IllegalArgumentException("no status: " + stored);
            };
        }
    }

    public boolean isActive() {
        return status == Status.ACTIVE;
    }

    Address address() {
        return new Address(machine, port);
    }

    /** What two nodes cannot have in common; a folder they can. */
    record Address(String machine, int port) {}

    public static Node first(HostId host, NodeRegistration registration, Instant now) {
        return new Node(
                host,
                registration.id(),
                registration.machine(),
                registration.cwd(),
                registration.port(),
                registration.pid(),
                Status.ACTIVE,
                now,
                now,
                null,
                0);
    }

    Node again(NodeRegistration registration, Instant now, boolean reconnected) {
        return new Node(
                host,
                id,
                registration.machine(),
                registration.cwd(),
                registration.port(),
                registration.pid(),
                Status.ACTIVE,
                registeredAt,
                later(lastSeenAt, now),
                null,
                reconnects + (reconnected ? 1 : 0));
    }

    Node activeAt(Instant now) {
        return with(Status.ACTIVE, later(lastSeenAt, now), null);
    }

    Node offline(Instant since) {
        return with(Status.OFFLINE, lastSeenAt, since);
    }

    private Node with(Status newStatus, Instant seen, @Nullable Instant since) {
        return new Node(
                host,
                id,
                machine,
                cwd,
                port,
                pid,
                newStatus,
                registeredAt,
                seen,
                since,
                reconnects);
    }

    /** A clock that steps back does not make a node less recently seen. */
    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
