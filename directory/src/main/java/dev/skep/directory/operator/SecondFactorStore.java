package dev.skep.directory.operator;

import dev.skep.directory.secret.SecretDigest;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The tables {@code second_factors} and {@code recovery_codes}, by person: the operator that keeps
 * what a person signs in with. Thread-safe.
 */
final class SecondFactorStore {
    private final InstantSource clock;

    SecondFactorStore(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * A secret for codes.
     *
     * @param sealed the secret, encrypted
     * @param lastStep the time step of the last code that was used
     */
    record StoredFactor(String sealed, long lastStep, boolean confirmed) {
        @Override
        public String toString() {
            return "second factor";
        }
    }

    Optional<StoredFactor> find(Snapshot snapshot, String person) {
        return snapshot.first(
                "SELECT secret, last_step, confirmed_at FROM second_factors WHERE operator_id = ?",
                row ->
                        new StoredFactor(
                                row.text("secret"),
                                row.number("last_step"),
                                row.textOrNull("confirmed_at") != null),
                person);
    }

    /** Keeps a secret that does not count yet; false if one counts already. */
    boolean begin(Transaction transaction, String person, String sealed) {
        return transaction.update(
                        """
                        INSERT INTO second_factors (operator_id, secret, last_step, created_at) VALUES (?, ?, 0, ?)
                        ON CONFLICT (operator_id) DO UPDATE SET secret = excluded.secret, last_step = 0,
                            created_at = excluded.created_at
                        WHERE second_factors.confirmed_at IS NULL\
                        """,
                        person,
                        sealed,
                        clock.instant())
                > 0;
    }

    /** From now on it counts; false if it does already or is another secret. */
    boolean confirm(Transaction transaction, String person, String sealed, long step) {
        return transaction.update(
                        """
                        UPDATE second_factors SET confirmed_at = ?, last_step = ?
                        WHERE operator_id = ? AND secret = ? AND confirmed_at IS NULL\
                        """,
                        clock.instant(),
                        step,
                        person,
                        sealed)
                > 0;
    }

    /** Uses up the code of a step; false if it or a later one was used. */
    boolean use(Transaction transaction, String person, long step) {
        return transaction.update(
                        "UPDATE second_factors SET last_step = ? WHERE operator_id = ? AND"
                                + " last_step < ?",
                        step,
                        person,
                        step)
                > 0;
    }

    void replaceRecoveryCodes(Transaction transaction, String person, List<String> codes) {
        transaction.update("DELETE FROM recovery_codes WHERE operator_id = ?", person);
        for (String code : codes) {
            transaction.update(
                    "INSERT INTO recovery_codes (operator_id, code_hash) VALUES (?, ?)",
                    person,
                    SecretDigest.sha256(code));
        }
    }

    /** Uses up a recovery code; false if there is none such, or it was used. */
    boolean useRecoveryCode(Transaction transaction, String person, String code) {
        return transaction.update(
                        """
                        UPDATE recovery_codes SET used_at = ?
                        WHERE operator_id = ? AND code_hash = ? AND used_at IS NULL\
                        """,
                        clock.instant(),
                        person,
                        SecretDigest.sha256(code))
                > 0;
    }

    long recoveryCodesLeft(Snapshot snapshot, String person) {
        return snapshot.first(
                        "SELECT count(*) FROM recovery_codes WHERE operator_id = ? AND used_at IS"
                                + " NULL",
                        row -> row.number(1),
                        person)
                .orElse(0L);
    }

    void remove(Transaction transaction, String person) {
        transaction.update("DELETE FROM second_factors WHERE operator_id = ?", person);
        transaction.update("DELETE FROM recovery_codes WHERE operator_id = ?", person);
    }
}
