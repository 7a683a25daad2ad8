package dev.skep.directory.key;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.secret.Digests;
import dev.skep.directory.secret.Secrets;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The keys in the table {@code credentials}. Thread-safe. */
public final class KeyStore {
    private static final String COLUMNS =
            "id, org_id, kind, subject, host_id, label, created_by, created_at, expires_at, revoked_at";
    private static final String KINDS = "('access_key', 'registry_token', 'agent_key', 'api_key')";

    private final UlidSource ids;
    private final InstantSource clock;
    private final Secrets secrets;
    private final AuditStore audit;

    public KeyStore(UlidSource ids, InstantSource clock, Secrets secrets, AuditStore audit) {
        this.ids = ids;
        this.clock = clock;
        this.secrets = secrets;
        this.audit = audit;
    }

    /** A new key; the only time its secret is known. */
    public record Issued(String id, String secret) {}

    /** What a new key is to be. */
    public record Wanted(
            KeyKind kind, String label, Optional<Subject> subject, Optional<Instant> expiresAt) {}

    /**
     * Whom a key speaks for.
     *
     * @param hostId the host an agent lives on
     */
    public record Subject(String id, @Nullable String hostId) {}

    public Issued issue(Transaction transaction, Actor actor, Wanted wanted) {
        String secret = secrets.key(wanted.kind().word());
        String id = ids.next();
        transaction.update(
                """
                INSERT INTO credentials (id, org_id, kind, subject, host_id, label, secret_hash, created_by,
                    created_at, expires_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)\
                """,
                id,
                actor.org().value(),
                wanted.kind().stored(),
                wanted.subject().map(Subject::id).orElse(""),
                wanted.subject().map(Subject::hostId).orElse(null),
                wanted.label(),
                Digests.sha256(secret),
                actor.principal().label(),
                clock.instant(),
                wanted.expiresAt().orElse(null));
        audit.record(
                transaction,
                actor,
                "key_issued",
                "key:" + id,
                Map.of("kind", wanted.kind().stored(), "label", wanted.label()));
        return new Issued(id, secret);
    }

    public List<Key> all(Snapshot snapshot, Principal principal) {
        return snapshot.list(
                "SELECT %s FROM credentials WHERE org_id = ? AND kind IN %s ORDER BY id"
                        .formatted(COLUMNS, KINDS),
                KeyStore::read,
                principal.org().value());
    }

    /** False if the org has no such key. */
    public boolean revoke(Transaction transaction, Actor actor, String id) {
        int found =
                transaction.update(
                        """
                        UPDATE credentials SET revoked_at = coalesce(revoked_at, ?)
                        WHERE id = ? AND org_id = ? AND kind IN %s\
                        """
                                .formatted(KINDS),
                        clock.instant(),
                        id,
                        actor.org().value());
        if (found > 0) {
            audit.record(transaction, actor, "key_revoked", "key:" + id, Map.of());
        }
        return found > 0;
    }

    /** The usable key with this secret; whoever holds it is of the key's org. */
    public Optional<Key> usable(Snapshot snapshot, KeyKind kind, String secret) {
        if (!kind.isSecretOfThisKind(secret)) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        return snapshot.first(
                        "SELECT %s FROM credentials WHERE secret_hash = ? AND kind = ?"
                                .formatted(COLUMNS),
                        KeyStore::read,
                        Digests.sha256(secret),
                        kind.stored())
                .filter(key -> key.isUsable(now));
    }

    private static Key read(ResultRow row) {
        return new Key(
                row.text("id"),
                row.text("org_id"),
                row.text("kind"),
                row.text("subject"),
                row.textOrNull("host_id"),
                row.text("label"),
                row.text("created_by"),
                row.time("created_at"),
                row.timeOrNull("expires_at"),
                row.timeOrNull("revoked_at"));
    }
}
