package dev.skep.directory.enrolment;

import dev.skep.directory.host.HostNames;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The hosts' public keys in the table {@code credentials}. Thread-safe. */
public final class HostKeyStore {
    /** How long the version before is accepted beside a new one. */
    static final Duration OVERLAP = Duration.ofDays(1);

    private static final String COLUMNS =
            "org_id, subject, version, label, public_key, created_at, expires_at, revoked_at";

    private final UlidSource ids;
    private final InstantSource clock;

    public HostKeyStore(UlidSource ids, InstantSource clock) {
        this.ids = ids;
        this.clock = clock;
    }

    /** All versions of a host's key, oldest first; read before authentication. */
    List<EnrolledKey> versions(Snapshot snapshot, HostId host) {
        return snapshot.list(
                "SELECT %s FROM credentials WHERE kind = 'host_key' AND subject = ? ORDER BY version"
                        .formatted(COLUMNS),
                HostKeyStore::read,
                host.value());
    }

    /** The public key in a host's own row, if this database has the row, for example from sync. */
    Optional<HostRow> row(Snapshot snapshot, HostId host) {
        return snapshot.first(
                "SELECT org_id, public_key FROM hosts WHERE id = ?",
                row ->
                        new HostRow(
                                row.text("org_id"),
                                Optional.ofNullable(row.textOrNull("public_key"))),
                host.value());
    }

    record HostRow(String org, Optional<String> publicKey) {}

    /**
     * The newest key of every host of the org, by its name; one that has sent no row yet by that
     * which it enrolled with.
     */
    List<EnrolledKey> newest(Snapshot snapshot, Principal principal) {
        return snapshot.list(
                """
                SELECT org_id, subject, version, coalesce(%s, label) AS label, public_key, created_at,
                    expires_at, revoked_at
                FROM credentials c WHERE kind = 'host_key' AND org_id = ? AND version =
                    (SELECT max(version) FROM credentials m WHERE m.kind = 'host_key' AND m.subject = c.subject)
                ORDER BY 4, subject"""
                        .formatted(HostNames.sql("c.subject", "c.org_id")),
                HostKeyStore::read,
                principal.org().value());
    }

    /** A host of the org by its id or, if only one has it, its name. */
    Optional<EnrolledKey> find(Snapshot snapshot, Principal principal, String idOrName) {
        List<EnrolledKey> found =
                newest(snapshot, principal).stream()
                        .filter(
                                key ->
                                        key.host().value().equals(idOrName)
                                                || key.name().equals(idOrName))
                        .toList();
        if (found.size() > 1) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "%d hosts are called %s; use the id".formatted(found.size(), idOrName));
        }
        return found.stream().findFirst();
    }

    void add(Transaction transaction, EnrolledKey key, String by) {
        int added =
                transaction.update(
                        """
                        INSERT INTO credentials (id, org_id, kind, subject, version, label, public_key, created_by, created_at)
                        VALUES (?, ?, 'host_key', ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING""",
                        ids.next(),
                        key.org().value(),
                        key.host().value(),
                        key.version(),
                        key.name(),
                        key.publicKey(),
                        by,
                        key.createdAt());
        if (added == 0) {
            throw new SkepException(
                    ErrorCode.HOST_KEY_CHANGED,
                    "host %s just enrolled with another key; try again".formatted(key.host()));
        }
    }

    /** Lets the versions before {@code version} run out. */
    void expireBefore(Transaction transaction, Principal principal, HostId host, int version) {
        transaction.update(
                """
                UPDATE credentials SET expires_at = coalesce(expires_at, ?)
                WHERE kind = 'host_key' AND org_id = ? AND subject = ? AND version < ?""",
                clock.instant().plus(OVERLAP),
                principal.org().value(),
                host.value(),
                version);
    }

    /** Refuses all versions from now on. */
    void revoke(Transaction transaction, Principal principal, HostId host) {
        transaction.update(
                """
                UPDATE credentials SET revoked_at = coalesce(revoked_at, ?)
                WHERE kind = 'host_key' AND org_id = ? AND subject = ?""",
                clock.instant(),
                principal.org().value(),
                host.value());
    }

    /** Asks the host to bring a new key when it connects next. */
    void askToRotate(Transaction transaction, Principal principal, HostId host) {
        transaction.update(
                """
                UPDATE credentials SET used_at = ?
                WHERE kind = 'host_key' AND org_id = ? AND subject = ? AND revoked_at IS NULL""",
                clock.instant(),
                principal.org().value(),
                host.value());
    }

    boolean isAskedToRotate(Snapshot snapshot, OrgId org, HostId host, int version) {
        return snapshot.first(
                        """
                        SELECT 1 FROM credentials WHERE kind = 'host_key' AND org_id = ? AND subject = ?
                            AND version = ? AND used_at IS NOT NULL""",
                        row -> true,
                        org.value(),
                        host.value(),
                        version)
                .isPresent();
    }

    private static EnrolledKey read(ResultRow row) {
        return new EnrolledKey(
                new OrgId(row.text("org_id")),
                new HostId(row.text("subject")),
                (int) row.number("version"),
                row.text("label"),
                row.text("public_key"),
                row.time("created_at"),
                row.timeOrNull("expires_at"),
                row.timeOrNull("revoked_at"));
    }
}
