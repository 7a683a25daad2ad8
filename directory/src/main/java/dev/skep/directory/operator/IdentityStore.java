package dev.skep.directory.operator;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The table {@code identities}: which account at which provider is which person. Thread-safe. */
final class IdentityStore {
    private final InstantSource clock;

    IdentityStore(InstantSource clock) {
        this.clock = clock;
    }

    /** The person of an account. */
    Optional<String> personOf(Snapshot snapshot, Identity identity) {
        return snapshot.first(
                "SELECT operator_id FROM identities WHERE issuer = ? AND subject = ?",
                row -> row.text(1),
                identity.issuer(),
                identity.subject());
    }

    List<IdentityView> all(Snapshot snapshot, String person) {
        return snapshot.list(
                "SELECT provider, name, signed_in_at FROM identities WHERE operator_id = ? ORDER BY"
                        + " provider, name",
                row ->
                        new IdentityView(
                                row.text("provider"),
                                row.text("name"),
                                row.timeOrNull("signed_in_at")),
                person);
    }

    void add(Transaction transaction, Identity identity, String person) {
        int added =
                transaction.update(
                        """
                        INSERT INTO identities (issuer, subject, operator_id, provider, name, created_at)
                        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (issuer, subject) DO NOTHING\
                        """,
                        identity.issuer(),
                        identity.subject(),
                        person,
                        identity.provider(),
                        identity.name(),
                        clock.instant());
        if (added == 0) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "this account is connected already; sign in with it, and disconnect it there"
                            + " first");
        }
    }

    void signedIn(Transaction transaction, Identity identity) {
        transaction.update(
                "UPDATE identities SET signed_in_at = ?, name = ? WHERE issuer = ? AND subject = ?",
                clock.instant(),
                identity.name(),
                identity.issuer(),
                identity.subject());
    }

    void removeAll(Transaction transaction, String person) {
        transaction.update("DELETE FROM identities WHERE operator_id = ?", person);
    }

    /** A person's accounts at one provider are theirs no more; false if there was none. */
    boolean remove(Transaction transaction, String person, String provider) {
        return transaction.update(
                        "DELETE FROM identities WHERE operator_id = ? AND provider = ?",
                        person,
                        provider)
                > 0;
    }
}
