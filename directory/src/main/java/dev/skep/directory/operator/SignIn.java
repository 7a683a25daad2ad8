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
import java.util.function.Function;
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
    private final SecondFactors secondFactors;
    private final AuditStore audit;
    private final SignInRateLimit signInRateLimit;

    SignIn(
            Database database,
            OperatorStore operators,
            OperatorSessionStore sessions,
            PasswordHasher passwordHasher,
            SecondFactors secondFactors,
            AuditStore audit,
            InstantSource steady,
            LongSupplier nanoTime) {
        this.database = database;
        this.operators = operators;
        this.sessions = sessions;
        this.passwordHasher = passwordHasher;
        this.secondFactors = secondFactors;
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

    /**
     * Where somebody signs in.
     *
     * @param client what opens the session, in its own words
     * @param isKnown whether they are signed in already, so that their neighbours' wrong tries are
     *     not theirs
     */
    public record Caller(String from, Optional<String> client, boolean isKnown) {
        OperatorSessionStore.OpenedFrom opened() {
            return new OperatorSessionStore.OpenedFrom(from, client);
        }
    }

    /** Whether this is the secret of a live session. */
    public boolean isSession(String secret) {
        return database.read(s -> sessions.find(s, secret)).isPresent();
    }

    /**
     * Lets in who knows the password, and a code if they have a second factor.
     *
     * @param code of the second factor, empty if none was typed yet
     */
    public SignedIn withPassword(
            OrgId org, String username, String password, Optional<String> code, Caller caller) {
        Tried begun = database.read(s -> begun(s, org, username, caller));
        Optional<OperatorStore.Candidate> proven = judged(begun, password);
        if (proven.isEmpty()) {
            begun.candidate()
                    .ifPresent(known -> auditRefused(known.operator(), caller.from(), "password"));
            throw new SkepException(
                    ErrorCode.WRONG_PASSWORD,
                    "user name or password is wrong; an admin can reset it with: skep operators"
                            + " reset NAME");
        }
        Operator operator = proven.get().operator();
        String person = proven.get().person();
        SignedIn signedIn;
        try {
            signedIn =
                    withCode(
                            person,
                            code,
                            transaction -> open(transaction, operator, caller, false, "password"));
        } catch (SkepException refused) {
            if (refused.code() == ErrorCode.WRONG_CODE) {
                auditRefused(operator, caller.from(), "code");
            } else {
                signInRateLimit.giveBack(begun.taken());
            }
            throw refused;
        }
        signInRateLimit.giveBack(begun.taken());
        return signedIn;
    }

    /** Opens a session if the person has no second factor or this is a code of it. */
    private SignedIn withCode(
            String person, Optional<String> code, Function<Transaction, SignedIn> open) {
        boolean needsCode = database.read(s -> secondFactors.isOn(s, person));
        if (!needsCode) {
            return database.write(open::apply);
        }
        String given =
                code.filter(text -> !text.isBlank())
                        .orElseThrow(
                                () ->
                                        new SkepException(
                                                ErrorCode.SECOND_FACTOR_REQUIRED,
                                                "type the code that your authenticator app shows,"
                                                        + " or a recovery code"));
        secondFactors.take(person);
        SignedIn signedIn =
                database.write(
                        transaction -> {
                            secondFactors.use(transaction, person, given);
                            return open.apply(transaction);
                        });
        secondFactors.giveBack(person);
        return signedIn;
    }

    private record Tried(
            Optional<OperatorStore.Candidate> candidate, SignInRateLimit.Taken taken) {}

    /** A person's tries count together, whichever of their names they are for. */
    private Tried begun(Snapshot snapshot, OrgId org, String username, Caller caller) {
        Optional<OperatorStore.Candidate> candidate = operators.candidate(snapshot, org, username);
        SignInRateLimit.SignInAttempt tried =
                new SignInRateLimit.SignInAttempt(
                        candidate
                                .map(OperatorStore.Candidate::person)
                                .orElseGet(() -> org + "/" + username),
                        caller.from());
        return new Tried(
                candidate,
                signInRateLimit
                        .take(
                                snapshot,
                                tried,
                                caller.isKnown(),
                                candidate.map(OperatorStore.Candidate::operator))
                        .orElseThrow(SignIn::tooMany));
    }

    /** Whose password it is; empty if it is wrong or its operator disabled. */
    private Optional<OperatorStore.Candidate> judged(Tried begun, String password) {
        String hash = begun.candidate().flatMap(OperatorStore.Candidate::passwordHash).orElse("");
        boolean right;
        try {
            right = passwordHasher.matches(password, hash) && !hash.isEmpty();
        } catch (RuntimeException notJudged) {
            signInRateLimit.giveBack(begun.taken());
            throw notJudged;
        }
        return begun.candidate().filter(c -> right && c.operator().disabledAt() == null);
    }

    /**
     * Links cannot be guessed, so a right one works however many wrong ones were tried. One that an
     * org's admin made opens that org only.
     */
    public SignedIn withLink(String secret, Optional<String> code, Caller caller) {
        OperatorSessionStore.LinkHolder holder =
                database.read(s -> sessions.holderOfLink(s, secret))
                        .orElseThrow(() -> wrongLink(caller));
        String person = database.read(s -> operators.personOf(s, holder.operator()));
        return withCode(
                person,
                code,
                transaction -> {
                    if (!sessions.useLink(transaction, secret)) {
                        throw usedLink();
                    }
                    return open(transaction, holder.operator(), caller, !holder.madeHere(), "link");
                });
    }

    private SkepException wrongLink(Caller caller) {
        return signInRateLimit.wrongFrom(caller.from()) ? usedLink() : tooMany();
    }

    private static SkepException usedLink() {
        return new SkepException(
                ErrorCode.SIGN_IN_LINK_INVALID,
                "this sign-in link was used or has expired; make one with: skep operators"
                        + " sign-in-link NAME");
    }

    SignedIn open(
            Transaction transaction, Operator operator, Caller caller, boolean oneOrg, String how) {
        String secret =
                sessions.open(
                        transaction,
                        operator,
                        caller.opened(),
                        oneOrg,
                        operator.principal().label());
        operators.signedIn(transaction, operator);
        signInRateLimit.cameFrom(transaction, operator, caller.from());
        sessions.purge(transaction);
        audit.record(
                transaction,
                new Actor(operator.principal(), caller.from()),
                "signed_in",
                "operator:" + operator.id(),
                Map.of("with", how));
        return new SignedIn(operator, secret);
    }

    /** Only of operators there are: people type their passwords into the wrong field. */
    private void auditRefused(Operator operator, String from, String what) {
        database.write(
                transaction -> {
                    audit.record(
                            transaction,
                            new Actor(Actor.local(new OrgId(operator.org())).principal(), from),
                            "sign_in_refused",
                            "operator:" + operator.id(),
                            Map.of("wrong", what));
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
