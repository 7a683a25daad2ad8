package dev.skep.directory.enrolment;

import dev.skep.directory.audit.AuditStore;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What operators do about the hosts enrolled with this hub. Thread-safe. */
public final class HostService {
    private final Database database;
    private final InstantSource clock;
    private final EventBus eventBus;
    private final HostKeyStore store;
    private final PairingCodeStore codes;
    private final HostKeyCache hostKeyCache;
    private final AuditStore audit;

    HostService(
            Database database,
            InstantSource clock,
            EventBus eventBus,
            HostKeyStore store,
            PairingCodeStore codes,
            HostKeyCache hostKeyCache,
            AuditStore audit) {
        this.database = database;
        this.clock = clock;
        this.eventBus = eventBus;
        this.store = store;
        this.codes = codes;
        this.hostKeyCache = hostKeyCache;
        this.audit = audit;
    }

    /** The newest key of every host of the caller's org. */
    public List<EnrolledKey> all(Principal principal) {
        return database.read(snapshot -> store.newest(snapshot, principal));
    }

    public EnrolledKey find(Principal principal, String idOrName) {
        return database.read(snapshot -> existing(snapshot, principal, idOrName));
    }

    /** A code for a new machine, or for a known host that lost its key. */
    public PairingCodeStore.Code pair(Actor actor, Optional<String> replaces) {
        return database.write(
                transaction -> {
                    Optional<HostId> host =
                            replaces.map(id -> existing(transaction, actor.principal(), id).host());
                    return codes.make(transaction, actor, host);
                });
    }

    /** Refuses the host from now on; its open links are closed before this returns. */
    public EnrolledKey revoke(Actor actor, String idOrName) {
        return database.write(
                transaction -> {
                    EnrolledKey key = existing(transaction, actor.principal(), idOrName);
                    Instant now = clock.instant();
                    store.revoke(transaction, actor.principal(), key.host());
                    audit.record(
                            transaction, actor, "host_revoked", "host:" + key.host(), Map.of());
                    transaction.afterCommit(
                            () -> {
                                hostKeyCache.forget(key.host());
                                eventBus.publish(
                                        new FleetEvent.HostRevoked(key.org(), now, key.host()));
                            });
                    return existing(transaction, actor.principal(), key.host().value());
                });
    }

    /** Has the host bring a new key with its next connection. */
    public EnrolledKey askToRotate(Actor actor, String idOrName) {
        return database.write(
                transaction -> {
                    EnrolledKey key = existing(transaction, actor.principal(), idOrName);
                    store.askToRotate(transaction, actor.principal(), key.host());
                    audit.record(
                            transaction,
                            actor,
                            "host_key_rotation_asked",
                            "host:" + key.host(),
                            Map.of());
                    return key;
                });
    }

    private EnrolledKey existing(Snapshot snapshot, Principal principal, String idOrName) {
        return store.find(snapshot, principal, idOrName)
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.NOT_FOUND,
                                        "there is no host %s; see: skep hosts list"
                                                .formatted(idOrName)));
    }
}
