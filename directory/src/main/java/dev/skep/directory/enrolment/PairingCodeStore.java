package dev.skep.directory.enrolment;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.secret.SecretDigest;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.clock.SteadyClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The table {@code pairing_codes}. Thread-safe. */
public final class PairingCodeStore {
    public static final Duration LIFE = Duration.ofMinutes(10);

    private final InstantSource clock;
    private final InstantSource steady;
    private final SecretGenerator secretGenerator;
    private final AuditStore audit;

    /**
     * Over the hub's codes.
     *
     * @param clock for people
     * @param steady what codes expire by
     */
    public PairingCodeStore(
            InstantSource clock,
            InstantSource steady,
            SecretGenerator secretGenerator,
            AuditStore audit) {
        this.clock = clock;
        this.steady = steady;
        this.secretGenerator = secretGenerator;
        this.audit = audit;
    }

    /** A new code, shown once. */
    public record Code(String code, Instant expiresAt) {
        @Override
        public String toString() {
            return "pairing code until " + expiresAt;
        }
    }

    /**
     * Creates a code that enrols one machine.
     *
     * @param replaces the host that may bring a new key with it, if it is for a known one
     */
    public Code make(Transaction transaction, Actor actor, Optional<HostId> replaces) {
        String code = secretGenerator.code();
        Instant now = clock.instant();
        transaction.update(
                """
                INSERT INTO pairing_codes (code_hash, org_id, host_id, created_by, created_at, expires_at)
                VALUES (?, ?, ?, ?, ?, ?)""",
                hash(code),
                actor.org().value(),
                replaces.map(HostId::value).orElse(null),
                actor.principal().label(),
                now,
                steady.instant().plus(LIFE));
        audit.record(
                transaction,
                actor,
                "pairing_code_made",
                replaces.map(host -> "host:" + host).orElse("org:" + actor.org()),
                Map.of());
        return new Code(code, now.plus(LIFE));
    }

    /** A code that was created and not used; the code itself is not stored. */
    public record Open(String madeBy, Instant madeAt, Instant expiresAt) {}

    /** Codes of the caller's org that still work, the newest first. */
    public static List<Open> open(Snapshot snapshot, Principal principal, Instant now) {
        Duration ahead = SteadyClock.ahead(snapshot);
        return snapshot.list(
                """
                SELECT created_by, created_at, expires_at FROM pairing_codes
                WHERE org_id = ? AND used_at IS NULL AND expires_at > ? ORDER BY created_at DESC""",
                row ->
                        new Open(
                                row.text("created_by"),
                                row.time("created_at"),
                                row.time("expires_at").minus(ahead)),
                principal.org().value(),
                now.plus(ahead));
    }

    /** What a code that was good allows. */
    record Invitation(OrgId org, Optional<String> replaces, String madeBy) {}

    /** Uses a code up. The same host may present it again: its first answer may have been lost. */
    Invitation use(Transaction transaction, String code, HostId host) {
        String hash = hash(code);
        int used =
                transaction.update(
                        """
                        UPDATE pairing_codes SET used_at = ?, used_by = ?
                        WHERE code_hash = ? AND expires_at > ? AND (used_at IS NULL OR used_by = ?)""",
                        clock.instant(),
                        host.value(),
                        hash,
                        steady.instant(),
                        host.value());
        return transaction
                .first(
                        "SELECT org_id, host_id, created_by, used_at, used_by FROM pairing_codes WHERE code_hash = ?",
                        row -> {
                            if (used == 0) {
                                throw refused(row.textOrNull("used_at") != null);
                            }
                            return new Invitation(
                                    new OrgId(row.text("org_id")),
                                    Optional.ofNullable(row.textOrNull("host_id")),
                                    row.text("created_by"));
                        },
                        hash)
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.PAIRING_CODE_UNKNOWN,
                                        "this pairing code is not one of this hub's; copy it again from: skep hosts pair"));
    }

    private static SkepException refused(boolean wasUsed) {
        return wasUsed
                ? new SkepException(
                        ErrorCode.PAIRING_CODE_USED,
                        "this pairing code was used by another host; make a new one with: skep hosts pair")
                : new SkepException(
                        ErrorCode.PAIRING_CODE_EXPIRED,
                        "this pairing code is older than 10 minutes; make a new one with: skep hosts pair");
    }

    private static String hash(String code) {
        return SecretDigest.sha256("pairing " + code.strip().toUpperCase(Locale.ROOT));
    }
}
