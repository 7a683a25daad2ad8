package dev.skep.directory.operator;

import dev.skep.directory.secret.SecretDigest;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.transport.http.CidrBlock;
import dev.skep.transport.http.RateLimit;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Limits wrong passwords. A name has few tries at an address. Beyond that, wrong tries count
 * against the name everywhere and against the address for every name, but not at an address where
 * that operator has signed in before. So an attacker on the same network, or one who guesses for
 * that name elsewhere, cannot lock operators out of the place they usually sign in from.
 * Thread-safe.
 */
final class SignInRateLimit {
    private static final Duration REMEMBERED = Duration.ofDays(90);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final RateLimit wrongHere;
    private final RateLimit wrongByName;
    private final RateLimit wrongByAddress;
    private final InstantSource steady;

    SignInRateLimit(InstantSource steady, LongSupplier nanoTime) {
        this.steady = steady;
        this.wrongHere = new RateLimit(5, MINUTE, 5, nanoTime);
        this.wrongByName = new RateLimit(5, MINUTE, 5, nanoTime);
        this.wrongByAddress = new RateLimit(20, MINUTE, 20, nanoTime);
    }

    /**
     * A try at an address.
     *
     * @param who the person's id, or a name as it was typed if there is no such person
     */
    record SignInAttempt(String who, String from) {
        // A digest, since an attacker could send very long names to fill the memory.
        private String name() {
            return SecretDigest.sha256(who);
        }

        private String address() {
            return CidrBlock.counted(from);
        }

        private String here() {
            return name() + "@" + address();
        }
    }

    /** What a try has taken, until its password was checked. */
    record Taken(SignInAttempt each, boolean byName, boolean byAddress) {}

    /**
     * Takes a try as if it were wrong; empty if there is none left. It is taken before the password
     * is judged, which takes long: of many tries at once only as many are judged as one after the
     * other would be.
     *
     * @param isKnown whether the client is signed in already
     */
    Optional<Taken> take(
            Snapshot snapshot, SignInAttempt each, boolean isKnown, Optional<Operator> operator) {
        boolean hasCome =
                operator.filter(o -> hasComeFrom(snapshot, o, each.address())).isPresent();
        synchronized (this) {
            boolean free =
                    wrongByName.has(each.name()) && (isKnown || wrongByAddress.has(each.address()));
            if (!(free || hasCome) || !wrongHere.take(each.here())) {
                return Optional.empty();
            }
            return Optional.of(
                    new Taken(
                            each,
                            wrongByName.take(each.name()),
                            wrongByAddress.take(each.address())));
        }
    }

    /** The password was right, or could not be checked. */
    synchronized void giveBack(Taken taken) {
        wrongHere.giveBack(taken.each().here());
        if (taken.byName()) {
            wrongByName.giveBack(taken.each().name());
        }
        if (taken.byAddress()) {
            wrongByAddress.giveBack(taken.each().address());
        }
    }

    /** Something else that was wrong; false if the address has no tries left. */
    boolean wrongFrom(String from) {
        return wrongByAddress.take(CidrBlock.counted(from));
    }

    private boolean hasComeFrom(Snapshot snapshot, Operator operator, String address) {
        return snapshot.first(
                        "SELECT 1 FROM signed_in_from WHERE operator_id = ? AND address = ? AND at"
                                + " > ?",
                        row -> true,
                        operator.id(),
                        address,
                        steady.instant().minus(REMEMBERED))
                .isPresent();
    }

    void cameFrom(Transaction transaction, Operator operator, String from) {
        Instant now = steady.instant();
        transaction.update("DELETE FROM signed_in_from WHERE at < ?", now.minus(REMEMBERED));
        transaction.update(
                """
                INSERT INTO signed_in_from (operator_id, address, at) VALUES (?, ?, ?)
                ON CONFLICT (operator_id, address) DO UPDATE SET at = excluded.at
                """,
                operator.id(),
                CidrBlock.counted(from),
                now);
    }
}
