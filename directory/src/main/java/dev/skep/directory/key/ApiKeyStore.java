package dev.skep.directory.key;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.secret.SecretDigest;
import dev.skep.directory.secret.SecretGenerator;
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
public final class ApiKeyStore {
    private static final String COLUMNS =
            "id, org_id, kind, subject, host_id, label, created_by, created_at, expires_at, revoked_at";
    private static final String KINDS = "('access_key', 'registry_token', 'agent_key', 'api_key')";

    private final UlidSource ids;
    private final InstantSource clock;
    private final SecretGenerator secretGenerator;
    private final AuditStore audit;

    public ApiKeyStore(
            UlidSource ids,
            InstantSource clock,
            SecretGenerator secretGenerator,
            AuditStore audit) {
        this.ids = ids;
        this.clock = clock;
        this.secretGenerator = secretGenerator;
        this.audit = audit;
    }

    /** A new key; the only time its secret is known. */
    public record IssuedKey(String id, String secret) {}

    /** What a new key is to be. */
    public record NewApiKey(
            ApiKeyKind kind,
            String label,
            Optional<Subject> subject,
            Optional<Instant> expiresAt) {}

    /**
     * The agent or operator that a key acts for.
     *
     * @param hostId the host an agent lives on
     */
    public record Subject(String id, @Nullable String hostId) {}

    public IssuedKey issue(Transaction transaction, Actor actor, NewApiKey newApiKey) {
        String secret = secretGenerator.key(newApiKey.kind().word());
        String id = ids.next();
        transaction.update(
                """
                INSERT INTO credentials (id, org_id, kind, subject, host_id, label, secret_hash, created_by,
                    created_at, expires_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)\
                """,
                id,
                actor.org().value(),
                newApiKey.kind().stored(),
                newApiKey.subject().map(Subject::id).orElse(""),
                newApiKey.subject().map(Subject::hostId).orElse(null),
                newApiKey.label(),
                SecretDigest.sha256(secret),
                actor.principal().label(),
                clock.instant(),
                newApiKey.expiresAt().orElse(null));
        audit.record(
                transaction,
                actor,
                "key_issued",
                "key:" + id,
                Map.of("kind", newApiKey.kind().stored(), "label", newApiKey.label()));
        return new IssuedKey(id, secret);
    }

    public List<ApiKey> all(Snapshot snapshot, Principal principal) {
        return snapshot.list(
                "SELECT %s FROM credentials WHERE org_id = ? AND kind IN %s ORDER BY id"
                        .formatted(COLUMNS, KINDS),
                ApiKeyStore::read,
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

    /** The usable key with this secret; its holder belongs to the key's org. */
    public Optional<ApiKey> usable(Snapshot snapshot, ApiKeyKind kind, String secret) {
        if (!kind.isSecretOfThisKind(secret)) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        return snapshot.first(
                        "SELECT %s FROM credentials WHERE secret_hash = ? AND kind = ?"
                                .formatted(COLUMNS),
                        ApiKeyStore::read,
                        SecretDigest.sha256(secret),
                        kind.stored())
                .filter(key -> key.isUsable(now));
    }

    private static ApiKey read(ResultRow row) {
        return new ApiKey(
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
