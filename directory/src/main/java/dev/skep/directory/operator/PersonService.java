package dev.skep.directory.operator;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.org.Org;
import dev.skep.directory.org.OrgStore;
import dev.skep.directory.secret.PasswordHasher;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What people do about themselves: password, second factor, sign-ins, orgs. Each call names the
 * session it is made in, since a key may do none of it. Thread-safe.
 */
public final class PersonService {
    private final Database database;
    private final OperatorStore store;
    private final OperatorSessionStore sessions;
    private final PasswordHasher passwordHasher;
    private final SecondFactors secondFactors;
    private final IdentityStore identities;
    private final AuditStore audit;
    private final OrgStore orgs = new OrgStore();

    PersonService(
            Database database,
            OperatorStore store,
            OperatorSessionStore sessions,
            PasswordHasher passwordHasher,
            SecondFactors secondFactors,
            IdentityStore identities,
            AuditStore audit) {
        this.database = database;
        this.store = store;
        this.sessions = sessions;
        this.passwordHasher = passwordHasher;
        this.secondFactors = secondFactors;
        this.identities = identities;
        this.audit = audit;
    }

    /** An org that a person may turn to. */
    public record Membership(String org, String name, String username, Role role) {}

    /** The orgs in which the holder of a session is an enabled operator. */
    public List<Membership> orgs(Optional<String> secret) {
        return secret.map(
                        given ->
                                database.read(
                                        s ->
                                                sessions.find(s, given)
                                                        .map(session -> orgs(s, session))
                                                        .orElse(List.of())))
                .orElse(List.of());
    }

    private List<Membership> orgs(Snapshot snapshot, OperatorSessionStore.Session session) {
        return reach(snapshot, session).stream()
                .filter(operator -> operator.disabledAt() == null)
                .map(
                        operator ->
                                new Membership(
                                        operator.org(),
                                        orgs.find(snapshot, new OrgId(operator.org()))
                                                .map(Org::name)
                                                .orElse(operator.org()),
                                        operator.username(),
                                        operator.role()))
                .toList();
    }

    /** The operators that a session may speak for. */
    private List<Operator> reach(Snapshot snapshot, OperatorSessionStore.Session session) {
        return session.oneOrg()
                ? List.of(session.operator())
                : store.ofPerson(snapshot, session.person());
    }

    /** The operator of a session in one of the person's orgs, if they are enabled there. */
    private Optional<Operator> inOrg(
            Snapshot snapshot, OperatorSessionStore.Session session, OrgId org) {
        if (session.operator().org().equals(org.value())) {
            return Optional.of(session.operator());
        }
        return session.oneOrg()
                ? Optional.empty()
                : store.ofPerson(snapshot, session.person(), org)
                        .filter(operator -> operator.disabledAt() == null);
    }

    /** From now on the session speaks for another of the person's orgs where no path names one. */
    public Operator turnTo(String secret, OrgId org) {
        return database.write(
                transaction -> {
                    OperatorSessionStore.Session session = session(transaction, secret);
                    Operator there =
                            inOrg(transaction, session, org)
                                    .orElseThrow(
                                            () ->
                                                    new SkepException(
                                                            ErrorCode.NOT_FOUND,
                                                            "there is no org %s; check the name"
                                                                    .formatted(org)));
                    sessions.turnTo(transaction, session, there);
                    return there;
                });
    }

    /**
     * Makes the operator of a sign-in link the person's own, so that one sign-in opens both orgs.
     * Their password is from then on the one they have here.
     */
    public Operator join(Actor actor, String secret, String link) {
        return database.write(
                transaction -> {
                    OperatorSessionStore.Session session = whole(transaction, secret);
                    Operator added =
                            sessions.holderOfLink(transaction, link)
                                    .map(OperatorSessionStore.LinkHolder::operator)
                                    .filter(o -> sessions.useLink(transaction, link))
                                    .orElseThrow(
                                            () ->
                                                    new SkepException(
                                                            ErrorCode.SIGN_IN_LINK_INVALID,
                                                            "this sign-in link was used or has"
                                                                    + " expired; ask the admin for"
                                                                    + " another"));
                    join(transaction, actor, session.person(), added);
                    return store.ofPerson(transaction, session.person(), new OrgId(added.org()))
                            .orElseThrow();
                });
    }

    private void join(Transaction transaction, Actor actor, String person, Operator added) {
        boolean isAlone =
                !added.signsInElsewhere() && store.ofPerson(transaction, added.id()).size() == 1;
        boolean isNew = store.ofPerson(transaction, person, new OrgId(added.org())).isEmpty();
        if (!isAlone || !isNew || added.hasSecondFactor()) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    isNew
                            ? "%s belongs to somebody already; ask the admin to add a new operator"
                                    .formatted(added.username())
                            : "you are in the org %s already".formatted(added.org()));
        }
        sessions.closeAll(transaction, added);
        identities.removeAll(transaction, added.id());
        store.join(transaction, added, person);
        audit.record(
                transaction,
                new Actor(added.principal(), actor.from()),
                "operator_joined",
                "operator:" + added.id(),
                Map.of());
    }

    /**
     * Sets one's own password, which ends all sessions, and returns the secret of a new one. An
     * operator who has a password must give it.
     */
    public String setPassword(
            Actor actor,
            String secret,
            Optional<String> current,
            String next,
            SignIn.Caller caller) {
        OperatorSessionStore.Session session = database.read(s -> whole(s, secret));
        checkPassword(session, current);
        String hashed = passwordHasher.hash(next);
        return database.write(
                transaction -> {
                    OperatorSessionStore.Session still = whole(transaction, secret);
                    store.setPassword(transaction, actor, still.operator(), Optional.of(hashed));
                    for (Operator each : store.ofPerson(transaction, still.person())) {
                        sessions.closeAll(transaction, each);
                    }
                    return sessions.open(
                            transaction,
                            still.operator(),
                            caller.opened(),
                            still.oneOrg(),
                            actor.principal().label());
                });
    }

    private void checkPassword(OperatorSessionStore.Session session, Optional<String> password) {
        Optional<String> hash =
                database.read(
                        s ->
                                store.candidate(
                                                s,
                                                new OrgId(session.operator().org()),
                                                session.operator().username())
                                        .flatMap(OperatorStore.Candidate::passwordHash));
        if (hash.isPresent() && !passwordHasher.matches(password.orElse(""), hash.get())) {
            throw new SkepException(
                    ErrorCode.WRONG_PASSWORD, "the current password is wrong; type it again");
        }
    }

    /** Begins to set up a second factor, with the password of who has one. */
    public NewFactor beginSecondFactor(String secret, Optional<String> password) {
        checkPassword(database.read(s -> whole(s, secret)), password);
        return database.write(
                transaction -> {
                    OperatorSessionStore.Session session = whole(transaction, secret);
                    return secondFactors.begin(
                            transaction, session.person(), session.operator().username());
                });
    }

    /** Turns it on by a first code; returns the recovery codes, which are known only now. */
    public List<String> confirmSecondFactor(Actor actor, String secret, String code) {
        return withCode(
                secret,
                (transaction, person) -> secondFactors.confirm(transaction, actor, person, code));
    }

    /** Removes it, with a code of it or a recovery code. */
    public void removeSecondFactor(Actor actor, String secret, String code) {
        withCode(
                secret,
                (transaction, person) -> {
                    secondFactors.use(transaction, person, code);
                    secondFactors.reset(
                            transaction, actor, session(transaction, secret).operator(), person);
                    return person;
                });
    }

    private interface CodeUse<T> {
        T with(Transaction transaction, String person);
    }

    private <T> T withCode(String secret, CodeUse<T> use) {
        String person = database.read(s -> whole(s, secret)).person();
        secondFactors.take(person);
        T result =
                database.write(
                        transaction -> use.with(transaction, whole(transaction, secret).person()));
        secondFactors.giveBack(person);
        return result;
    }

    /** What the page about oneself shows of how one signs in. */
    public record Ways(
            boolean hasPassword,
            boolean secondFactor,
            long recoveryCodesLeft,
            List<IdentityView> identities,
            boolean oneOrg) {}

    public Ways ways(String secret) {
        return database.read(
                snapshot -> {
                    OperatorSessionStore.Session session = session(snapshot, secret);
                    return new Ways(
                            session.operator().hasPassword(),
                            session.operator().hasSecondFactor(),
                            secondFactors.recoveryCodesLeft(snapshot, session.person()),
                            identities.all(snapshot, session.person()),
                            session.oneOrg());
                });
    }

    /** A provider's accounts no longer open this person's orgs. */
    public void disconnect(Actor actor, String secret, String provider) {
        database.write(
                transaction -> {
                    OperatorSessionStore.Session session = whole(transaction, secret);
                    if (!identities.remove(transaction, session.person(), provider)) {
                        throw new SkepException(
                                ErrorCode.NOT_FOUND,
                                "no account at %s is connected".formatted(provider));
                    }
                    audit.record(
                            transaction,
                            actor,
                            "identity_disconnected",
                            actor.principal().label(),
                            Map.of("provider", provider));
                    return provider;
                });
    }

    /** Where one is signed in, and which of them is this session. */
    public record OwnSignIns(String current, List<OperatorSessionStore.SignInView> signIns) {}

    public OwnSignIns signIns(String secret) {
        return database.read(
                snapshot -> {
                    OperatorSessionStore.Session session = session(snapshot, secret);
                    return new OwnSignIns(
                            session.id(), sessions.open(snapshot, reach(snapshot, session)));
                });
    }

    public void endSignIn(Actor actor, String secret, String id) {
        database.write(
                transaction -> {
                    OperatorSessionStore.Session session = session(transaction, secret);
                    if (!sessions.end(transaction, reach(transaction, session), id)) {
                        throw noSignIn(id);
                    }
                    audit.record(
                            transaction,
                            actor,
                            "session_ended",
                            actor.principal().label(),
                            Map.of("session", id));
                    return id;
                });
    }

    static SkepException noSignIn(String id) {
        return new SkepException(
                ErrorCode.NOT_FOUND, "there is no sign-in %s; it may have ended".formatted(id));
    }

    private OperatorSessionStore.Session session(Snapshot snapshot, String secret) {
        return sessions.find(snapshot, secret)
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.UNAUTHENTICATED,
                                        "you are signed out; sign in again"));
    }

    /** A session that may change what opens all of the person's orgs. */
    private OperatorSessionStore.Session whole(Snapshot snapshot, String secret) {
        OperatorSessionStore.Session session = session(snapshot, secret);
        if (session.oneOrg() && store.ofPerson(snapshot, session.person()).size() > 1) {
            throw new SkepException(
                    ErrorCode.FORBIDDEN,
                    "an admin's link opens one org; sign in with your password to change how you"
                            + " sign in to all of yours");
        }
        return session;
    }
}
