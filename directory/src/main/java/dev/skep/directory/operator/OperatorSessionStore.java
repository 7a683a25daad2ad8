package dev.skep.directory.operator;

import dev.skep.directory.secret.SecretDigest;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Sessions and one-use links in the table {@code credentials}. Thread-safe. */
public final class OperatorSessionStore {
    public static final Duration SESSION = Duration.ofDays(7);
    public static final Duration LINK = Duration.ofHours(1);

    private final UlidSource ids;
    private final InstantSource clock;
    private final InstantSource steady;
    private final SecretGenerator secretGenerator;

    /**
     * With secrets of their own.
     *
     * @param steady what they expire by
     */
    public OperatorSessionStore(
            UlidSource ids,
            InstantSource clock,
            InstantSource steady,
            SecretGenerator secretGenerator) {
        this.ids = ids;
        this.clock = clock;
        this.steady = steady;
        this.secretGenerator = secretGenerator;
    }

    /** Opens a session and returns its secret. */
    String open(Transaction transaction, Operator operator, String by) {
        return add(transaction, operator, "session", SESSION, by);
    }

    /** Makes a one-use link; one made before stops working. */
    String link(Transaction transaction, Operator operator, String by) {
        revoke(transaction, operator, "sign_in_link");
        return add(transaction, operator, "sign_in_link", LINK, by);
    }

    private String add(
            Transaction transaction, Operator operator, String kind, Duration life, String by) {
        String secret = secretGenerator.key(kind.equals("session") ? "session" : "signin");
        transaction.update(
                """
                INSERT INTO credentials (id, org_id, kind, subject, label, secret_hash, created_by, created_at, expires_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                ids.next(),
                operator.org(),
                kind,
                operator.id(),
                operator.username(),
                SecretDigest.sha256(secret),
                by,
                clock.instant(),
                steady.instant().plus(life));
        return secret;
    }

    /** Uses up a link, so that it works only once. */
    Optional<Operator> useLink(Transaction transaction, String secret) {
        int used =
                transaction.update(
                        """
                        UPDATE credentials SET used_at = ? WHERE secret_hash = ? AND kind = 'sign_in_link'
                            AND used_at IS NULL AND revoked_at IS NULL AND expires_at > ?""",
                        clock.instant(),
                        SecretDigest.sha256(secret),
                        steady.instant());
        return used == 0 ? Optional.empty() : holder(transaction, "sign_in_link", secret);
    }

    /** Whose session this is, if it lives and its operator is enabled. */
    public Optional<Operator> operatorOf(Snapshot snapshot, String secret) {
        return holder(snapshot, "session", secret);
    }

    private Optional<Operator> holder(Snapshot snapshot, String kind, String secret) {
        return snapshot.first(
                """
                SELECT o.id, o.org_id, o.username, o.role, o.password_hash, o.signed_in_at, o.disabled_at, o.created_at
                FROM credentials c JOIN operators o ON o.id = c.subject AND o.org_id = c.org_id
                WHERE c.secret_hash = ? AND c.kind = ? AND c.revoked_at IS NULL AND c.expires_at > ?
                    AND o.disabled_at IS NULL""",
                OperatorStore::read,
                SecretDigest.sha256(secret),
                kind,
                steady.instant());
    }

    void close(Transaction transaction, String secret) {
        transaction.update(
                "UPDATE credentials SET revoked_at = ? WHERE secret_hash = ? AND kind = 'session'",
                clock.instant(),
                SecretDigest.sha256(secret));
    }

    /** Ends all of an operator's sessions and links. */
    void closeAll(Transaction transaction, Operator operator) {
        revoke(transaction, operator, "session");
        revoke(transaction, operator, "sign_in_link");
    }

    private void revoke(Transaction transaction, Operator operator, String kind) {
        transaction.update(
                """
                UPDATE credentials SET revoked_at = ?
                WHERE org_id = ? AND kind = ? AND subject = ? AND revoked_at IS NULL""",
                clock.instant(),
                operator.org(),
                kind,
                operator.id());
    }

    /** Removes what expired more than a session's life ago. */
    int purge(Transaction transaction) {
        return transaction.update(
                "DELETE FROM credentials WHERE kind IN ('session', 'sign_in_link') AND expires_at < ?",
                steady.instant().minus(SESSION));
    }
}
