package dev.skep.directory.enrolment;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.key.ApiKey;
import dev.skep.directory.key.ApiKeyKind;
import dev.skep.directory.key.ApiKeyStore;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.directory.secret.SecretDigest;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lets a machine in for the first time, or back in with a new key. Thread-safe. */
public final class Enrolment {
    private static final Duration CLOCK_MAY_BE_OFF = Duration.ofHours(1);

    private final Database database;
    private final InstantSource clock;
    private final EventBus eventBus;
    private final ChallengeVerifier challengeVerifier;
    private final HostKeyStore hosts;
    private final HostAddressStore addresses;
    private final PairingCodeStore codes;
    private final ApiKeyStore keys;
    private final AuditStore audit;
    private final Optional<String> sharedKey;

    /**
     * @param sharedKey the default org's access key as configured; in memory only
     */
    Enrolment(
            Database database,
            InstantSource clock,
            EventBus eventBus,
            ChallengeVerifier challengeVerifier,
            HostKeyStore hosts,
            HostAddressStore addresses,
            PairingCodeStore codes,
            ApiKeyStore keys,
            AuditStore audit,
            Optional<String> sharedKey) {
        this.database = database;
        this.clock = clock;
        this.eventBus = eventBus;
        this.challengeVerifier = challengeVerifier;
        this.hosts = hosts;
        this.addresses = addresses;
        this.codes = codes;
        this.keys = keys;
        this.audit = audit;
        this.sharedKey = sharedKey;
    }

    /** What a host enrols with; printing it shows the kind only. */
    public sealed interface Ticket {
        record PairingCode(String code) implements Ticket {
            @Override
            public String toString() {
                return "pairing code";
            }
        }

        record AccessKey(String key) implements Ticket {
            @Override
            public String toString() {
                return "access key";
            }
        }
    }

    /** What the ticket allows; {@code replaces} names the host that may bring another key. */
    private record Allowed(OrgId org, Optional<String> replaces, String by) {}

    /** Enrols the host and returns the org it is now of. */
    public OrgId enrol(HostClaim claim, Ticket ticket, String from) {
        HostId host = new HostId(claim.statement().hostId());
        challengeVerifier.check(claim, claim.statement().publicKey());
        Duration off = challengeVerifier.clockOff(claim);
        if (off.abs().compareTo(CLOCK_MAY_BE_OFF) > 0) {
            throw new SkepException(
                    ErrorCode.CLOCK_OFF,
                    "the host's clock is %d minutes %s the hub's; set the clock that is wrong and enrol again"
                            .formatted(
                                    off.abs().toMinutes(),
                                    off.isNegative() ? "behind" : "ahead of"));
        }
        return database.write(
                transaction -> {
                    Allowed allowed = allowed(transaction, ticket, host);
                    admit(transaction, claim, host, allowed, from);
                    if (ticket instanceof Ticket.PairingCode) {
                        addresses.vouched(transaction, allowed.org(), host, claim);
                    } else {
                        addresses.check(transaction, allowed.org(), host, claim);
                    }
                    return allowed.org();
                });
    }

    private Allowed allowed(Transaction transaction, Ticket ticket, HostId host) {
        return switch (ticket) {
            case Ticket.PairingCode(String code) -> {
                PairingCodeStore.Invitation invitation = codes.use(transaction, code, host);
                yield new Allowed(
                        invitation.org(), invitation.replaces(), "code of " + invitation.madeBy());
            }
            case Ticket.AccessKey(String key) ->
                    sharedKey
                            .filter(shared -> SecretDigest.same(shared, key))
                            .map(
                                    _ ->
                                            new Allowed(
                                                    DefaultOrg.DEFAULT,
                                                    Optional.empty(),
                                                    "shared key"))
                            .or(() -> ofStoredKey(transaction, key))
                            .orElseThrow(
                                    () ->
                                            new SkepException(
                                                    ErrorCode.WRONG_ACCESS_KEY,
                                                    "this hub does not know the access key; set HUB_ACCESS_KEY to the hub's, or use a pairing code"));
        };
    }

    private Optional<Allowed> ofStoredKey(Transaction transaction, String secret) {
        Optional<ApiKey> key = keys.usable(transaction, ApiKeyKind.ACCESS_KEY, secret);
        return key.map(k -> new Allowed(new OrgId(k.org()), Optional.empty(), "key:" + k.id()));
    }

    private void admit(
            Transaction transaction, HostClaim claim, HostId host, Allowed allowed, String from) {
        List<EnrolledKey> known = hosts.versions(transaction, host);
        String publicKey = claim.statement().publicKey();
        boolean mayReplace =
                allowed.replaces().filter(id -> id.equals(host.value())).isPresent()
                        && known.stream().allMatch(key -> key.org().equals(allowed.org()));
        if (!mayReplace) {
            refuseOtherThanKnown(transaction, host, known, publicKey, allowed.org());
        }
        Instant now = clock.instant();
        boolean again =
                known.stream().anyMatch(k -> k.isAccepted(now) && k.publicKey().equals(publicKey));
        if (again) {
            return;
        }
        Principal.Host principal = new Principal.Host(allowed.org(), host);
        hosts.revoke(transaction, principal, host);
        int version = known.isEmpty() ? 1 : known.getLast().version() + 1;
        hosts.add(
                transaction,
                new EnrolledKey(
                        allowed.org(), host, version, claim.name(), publicKey, now, null, null),
                allowed.by());
        audit.record(
                transaction,
                new Actor(principal, from),
                known.isEmpty() ? "host_enrolled" : "host_enrolled_again",
                "host:" + host,
                Map.of("name", claim.name(), "with", allowed.by()));
        transaction.afterCommit(
                () -> eventBus.publish(new FleetEvent.HostEnrolled(allowed.org(), now, host)));
    }

    /** A host id belongs to the key it was first seen with, here or in the host's own row. */
    private void refuseOtherThanKnown(
            Transaction transaction,
            HostId host,
            List<EnrolledKey> known,
            String publicKey,
            OrgId org) {
        boolean sameAsRow =
                hosts.row(transaction, host)
                        .filter(row -> !row.org().equals(org.value()) || differs(row, publicKey))
                        .isEmpty();
        boolean sameAsKnown =
                known.isEmpty()
                        || known.stream()
                                .anyMatch(
                                        key ->
                                                key.org().equals(org)
                                                        && key.publicKey().equals(publicKey));
        if (!sameAsRow || !sameAsKnown) {
            throw new SkepException(
                    ErrorCode.HOST_KEY_CHANGED,
                    "host %s is known here with another key; restore its key file, or let an admin run: skep hosts pair --replace %s"
                            .formatted(host, host));
        }
        if (!known.isEmpty() && known.getLast().revokedAt() != null) {
            throw HostKeyCache.revoked(host);
        }
    }

    private static boolean differs(HostKeyStore.HostRow row, String publicKey) {
        return row.publicKey().filter(key -> !key.equals(publicKey)).isPresent();
    }
}
