package dev.skep.directory.operator;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.secret.PasswordHasher;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Signs people in and creates their sessions. Wrong tries are counted, see {@link SignInRateLimit}.
 * Thread-safe.
 */
public final class SignIn {
    private final Database database;
    private final OperatorStore operators;
    private final OperatorSessionStore sessions;
    private final PasswordHasher passwordHasher;
    private final AuditStore audit;
    private final SignInRateLimit signInRateLimit;

    public SignIn(
            Database database,
            OperatorStore operators,
            OperatorSessionStore sessions,
            PasswordHasher passwordHasher,
            AuditStore audit,
            InstantSource steady,
            LongSupplier nanoTime) {
        this.database = database;
        this.operators = operators;
        this.sessions = sessions;
        this.passwordHasher = passwordHasher;
        this.audit = audit;
        this.signInRateLimit = new SignInRateLimit(steady, nanoTime);
    }

    /** A signed-in operator; the secret goes into their cookie and nowhere else. */
    public record SignedIn(Operator operator, String sessionSecret) {
        @Override
        public String toString() {
            return "session of " + operator.id();
        }
    }

    /** Whether this is the secret of a live session. */
    public boolean isSession(String secret) {
        return database.read(s -> sessions.operatorOf(s, secret)).isPresent();
    }

    /**
     * Lets in who knows the password.
     *
     * @param isKnown whether they are signed in already, so that their neighbours' wrong tries are
     *     not theirs
     */
    public SignedIn withPassword(
            OrgId org, String username, String password, String from, boolean isKnown) {
        SignInRateLimit.SignInAttempt tried =
                new SignInRateLimit.SignInAttempt(org, username, from);
        Tried begun = database.read(s -> begun(s, tried, isKnown));
        Optional<Operator> operator = judged(begun, password);
        if (operator.isEmpty()) {
            begun.candidate().ifPresent(known -> auditWrongPassword(known.operator(), from));
            throw new SkepException(
                    ErrorCode.WRONG_PASSWORD,
                    "user name or password is wrong; an admin can reset it with: skep operators reset NAME");
        }
        signInRateLimit.giveBack(begun.taken());
        return database.write(transaction -> open(transaction, operator.get(), from, "password"));
    }

    private record Tried(
            Optional<OperatorStore.Candidate> candidate, SignInRateLimit.Taken taken) {}

    private Tried begun(Snapshot snapshot, SignInRateLimit.SignInAttempt tried, boolean isKnown) {
        Optional<OperatorStore.Candidate> candidate =
                operators.candidate(snapshot, tried.org(), tried.username());
        return new Tried(
                candidate,
                signInRateLimit
                        .take(
                                snapshot,
                                tried,
                                isKnown,
                                candidate.map(OperatorStore.Candidate::operator))
                        .orElseThrow(SignIn::tooMany));
    }

    /** Whose password it is; empty if it is wrong or its operator disabled. */
    private Optional<Operator> judged(Tried begun, String password) {
        String hash = begun.candidate().flatMap(OperatorStore.Candidate::passwordHash).orElse("");
        boolean right;
        try {
            right = passwordHasher.matches(password, hash) && !hash.isEmpty();
        } catch (RuntimeException notJudged) {
            signInRateLimit.giveBack(begun.taken());
            throw notJudged;
        }
        return begun.candidate()
                .map(OperatorStore.Candidate::operator)
                .filter(o -> right && o.disabledAt() == null);
    }

    /** Links cannot be guessed, so a right one works however many wrong ones were tried. */
    public SignedIn withLink(String secret, String from) {
        Optional<SignedIn> in =
                database.write(
                        transaction ->
                                sessions.useLink(transaction, secret)
                                        .map(o -> open(transaction, o, from, "link")));
        return in.orElseThrow(
                () -> {
                    if (!signInRateLimit.wrongFrom(from)) {
                        return tooMany();
                    }
                    return new SkepException(
                            ErrorCode.SIGN_IN_LINK_INVALID,
                            "this sign-in link was used or has expired; make one with: skep operators sign-in-link NAME");
                });
    }

    private SignedIn open(Transaction transaction, Operator operator, String from, String how) {
        String secret = sessions.open(transaction, operator, operator.principal().label());
        operators.signedIn(transaction, operator);
        signInRateLimit.cameFrom(transaction, operator, from);
        sessions.purge(transaction);
        audit.record(
                transaction,
                new Actor(operator.principal(), from),
                "signed_in",
                "operator:" + operator.id(),
                Map.of("with", how));
        return new SignedIn(operator, secret);
    }

    /** Only of operators there are: people type their passwords into the wrong field. */
    private void auditWrongPassword(Operator operator, String from) {
        database.write(
                transaction -> {
                    audit.record(
                            transaction,
                            new Actor(Actor.local(new OrgId(operator.org())).principal(), from),
                            "sign_in_refused",
                            "operator:" + operator.id(),
                            Map.of());
                    return operator;
                });
    }

    public void signOut(Actor actor, String secret) {
        database.write(
                transaction -> {
                    sessions.close(transaction, secret);
                    audit.record(
                            transaction, actor, "signed_out", actor.principal().label(), Map.of());
                    return secret;
                });
    }

    private static SkepException tooMany() {
        return new SkepException(
                ErrorCode.TOO_MANY_REQUESTS, "too many wrong tries; wait a minute and try again");
    }
}
