package dev.skep.directory.enrolment;

import dev.skep.directory.audit.AuditStore;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** What an enrolled host does with its key: get a token, bring the next key. Thread-safe. */
public final class HostTokenService {
    private final Database database;
    private final InstantSource clock;
    private final ChallengeVerifier challengeVerifier;
    private final HostKeyStore hosts;
    private final HostAddressStore addresses;
    private final HostKeyCache hostKeyCache;
    private final LinkTokens tokens;
    private final AuditStore audit;

    HostTokenService(
            Database database,
            InstantSource clock,
            ChallengeVerifier challengeVerifier,
            HostKeyStore hosts,
            HostAddressStore addresses,
            HostKeyCache hostKeyCache,
            LinkTokens tokens,
            AuditStore audit) {
        this.database = database;
        this.clock = clock;
        this.challengeVerifier = challengeVerifier;
        this.hosts = hosts;
        this.addresses = addresses;
        this.hostKeyCache = hostKeyCache;
        this.tokens = tokens;
        this.audit = audit;
    }

    /**
     * A token for one link.
     *
     * @param rotate whether an admin wants the host to bring a new key
     */
    public record IssuedToken(String token, Duration life, boolean rotate, Duration clockOff) {
        @Override
        public String toString() {
            return "token for " + life;
        }
    }

    public IssuedToken token(HostClaim claim) {
        challengeVerifier.checkAnswer(claim, claim.statement().publicKey());
        EnrolledKey key = accepted(claim.statement().hostId(), claim.statement().publicKey());
        challengeVerifier.use(claim);
        addresses.check(database, key, claim);
        Duration off = challengeVerifier.clockOff(claim);
        boolean rotate =
                database.read(s -> hosts.isAskedToRotate(s, key.org(), key.host(), key.version()));
        return new IssuedToken(
                tokens.issue(key, claim.statement().place(), off), LinkTokens.LIFE, rotate, off);
    }

    /**
     * Accepts a host's next key, which both the key in use and the new one vouch for.
     *
     * @param claim names the new key, and is signed with it
     * @param current the public key in use
     * @param currentSignature its signature over the same claim
     */
    public void rotate(HostClaim claim, String current, String currentSignature, String from) {
        challengeVerifier.checkSignature(
                new HostClaim(claim.statement(), claim.name(), currentSignature), current);
        challengeVerifier.checkAnswer(claim, claim.statement().publicKey());
        EnrolledKey old = accepted(claim.statement().hostId(), current);
        challengeVerifier.use(claim);
        addresses.check(database, old, claim);
        database.write(
                transaction -> {
                    List<EnrolledKey> known = hosts.versions(transaction, old.host());
                    int version = known.getLast().version() + 1;
                    Principal.Host principal = new Principal.Host(old.org(), old.host());
                    hosts.expireBefore(transaction, principal, old.host(), version);
                    hosts.add(
                            transaction,
                            new EnrolledKey(
                                    old.org(),
                                    old.host(),
                                    version,
                                    claim.name(),
                                    claim.statement().publicKey(),
                                    clock.instant(),
                                    null,
                                    null),
                            principal.label());
                    audit.record(
                            transaction,
                            new Actor(principal, from),
                            "host_key_rotated",
                            "host:" + old.host(),
                            Map.of("version", Integer.toString(version)));
                    transaction.afterCommit(() -> hostKeyCache.forget(old.host()));
                    return version;
                });
    }

    /** The key a claim is signed with, if it counts; asked once the signature is right. */
    private EnrolledKey accepted(String hostId, String publicKey) {
        HostId host = new HostId(hostId);
        List<EnrolledKey> known = database.read(s -> hosts.versions(s, host));
        Instant now = clock.instant();
        return known.stream()
                .filter(key -> key.publicKey().equals(publicKey) && key.isAccepted(now))
                .findFirst()
                .orElseThrow(() -> refused(host, publicKey, known));
    }

    /**
     * Only a client that has had a key of the host learns what became of it: to others an unknown
     * host and a known one look the same.
     */
    private static SkepException refused(HostId host, String publicKey, List<EnrolledKey> known) {
        boolean wasItsKey = known.stream().anyMatch(key -> key.publicKey().equals(publicKey));
        if (!wasItsKey) {
            return HostKeyCache.unknown(host);
        }
        if (known.getLast().revokedAt() != null) {
            return HostKeyCache.revoked(host);
        }
        return new SkepException(
                ErrorCode.HOST_KEY_CHANGED,
                "host %s has a newer key than this one; restore its key file, or let an admin run: skep hosts pair --replace %s"
                        .formatted(host, host));
    }
}
