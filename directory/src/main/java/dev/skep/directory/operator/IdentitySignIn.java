package dev.skep.directory.operator;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.org.OrgStore;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Signs in whom an identity provider vouches for. Its groups decide about the memberships that it
 * made: a new group adds one, a changed one changes the role, a lost one disables. Memberships that
 * admins made stay as they are. Nobody gets an operator that is there already because a name is the
 * same; its owner connects the account while signed in. Thread-safe.
 */
public final class IdentitySignIn {
    private static final int LONGEST_NAME = 50;
    private static final int MOST_OF_ONE_NAME = 20;

    private final Database database;
    private final OperatorStore operators;
    private final OperatorSessionStore sessions;
    private final IdentityStore identities;
    private final SignIn signIn;
    private final AuditStore audit;
    private final OrgStore orgs = new OrgStore();

    IdentitySignIn(
            Database database,
            OperatorStore operators,
            OperatorSessionStore sessions,
            IdentityStore identities,
            SignIn signIn,
            AuditStore audit) {
        this.database = database;
        this.operators = operators;
        this.sessions = sessions;
        this.identities = identities;
        this.signIn = signIn;
        this.audit = audit;
    }

    /** Opens a session for the person of an account, who is made if they are new. */
    public SignIn.SignedIn signIn(Identity identity, SignIn.Caller caller) {
        // Refused outside of the transaction: what the groups took away must stay taken away.
        return database.write(transaction -> tried(transaction, identity, caller))
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.IDENTITY_REFUSED,
                                        "your account %s may not sign in here; ask an admin which group may"
                                                .formatted(identity.name())));
    }

    private Optional<SignIn.SignedIn> tried(
            Transaction transaction, Identity identity, SignIn.Caller caller) {
        List<Map.Entry<OrgId, Role>> given =
                identity.roles().entrySet().stream()
                        .filter(each -> orgs.exists(transaction, each.getKey()))
                        .sorted(Comparator.comparing(each -> each.getKey().value()))
                        .toList();
        Optional<String> known = identities.personOf(transaction, identity);
        if (known.isEmpty() && given.isEmpty()) {
            return Optional.empty();
        }
        String person =
                known.orElseGet(() -> made(transaction, identity, given.getFirst(), caller));
        given.forEach(each -> give(transaction, identity, person, each, caller));
        takeAway(transaction, identity, person, caller);
        identities.signedIn(transaction, identity);
        return operators.ofPerson(transaction, person).stream()
                .filter(operator -> operator.disabledAt() == null)
                .min(Comparator.comparing(operator -> !operator.id().equals(person)))
                .map(
                        operator ->
                                signIn.open(
                                        transaction,
                                        operator,
                                        caller,
                                        false,
                                        "provider " + identity.provider()));
    }

    private String made(
            Transaction transaction,
            Identity identity,
            Map.Entry<OrgId, Role> first,
            SignIn.Caller caller) {
        Actor actor = actor(first.getKey(), caller);
        String name = username(identity);
        if (operators.find(transaction, actor.principal(), name).isPresent()) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "there is an operator %s already; if that is you, sign in as %s and connect this account under Me"
                            .formatted(name, name));
        }
        Operator operator = operators.add(transaction, actor, name, first.getValue());
        operators.manage(transaction, operator, identity.provider());
        identities.add(transaction, identity, operator.id());
        return operator.id();
    }

    private void give(
            Transaction transaction,
            Identity identity,
            String person,
            Map.Entry<OrgId, Role> given,
            SignIn.Caller caller) {
        Actor actor = actor(given.getKey(), caller);
        Optional<Operator> there = operators.ofPerson(transaction, person, given.getKey());
        if (there.isEmpty()) {
            Operator added =
                    operators.add(
                            transaction,
                            actor,
                            freeName(transaction, actor, username(identity)),
                            given.getValue());
            operators.join(transaction, added, person);
            operators.manage(transaction, added, identity.provider());
            return;
        }
        Operator operator = there.get();
        if (!identity.provider().equals(operator.managedBy())) {
            return;
        }
        if (operator.role() != given.getValue()) {
            operators.setRole(transaction, actor, operator, given.getValue());
        }
        if (operators.isDisabledBy(transaction, operator, identity.provider())) {
            operators.enable(transaction, actor, operator);
        }
    }

    private void takeAway(
            Transaction transaction, Identity identity, String person, SignIn.Caller caller) {
        for (Operator operator : operators.ofPerson(transaction, person)) {
            OrgId org = new OrgId(operator.org());
            boolean isLost =
                    identity.provider().equals(operator.managedBy())
                            && operator.disabledAt() == null
                            && !identity.roles().containsKey(org);
            if (isLost) {
                operators.disableBy(transaction, actor(org, caller), operator, identity.provider());
                sessions.closeAll(transaction, operator);
            }
        }
    }

    /** From now on the account opens the orgs of who is signed in. */
    public void connect(Actor actor, String secret, Identity identity) {
        database.write(
                transaction -> {
                    OperatorSessionStore.Session session = whole(transaction, secret);
                    identities.add(transaction, identity, session.person());
                    audit.record(
                            transaction,
                            actor,
                            "identity_connected",
                            actor.principal().label(),
                            Map.of("provider", identity.provider(), "name", identity.name()));
                    return identity;
                });
    }

    private OperatorSessionStore.Session whole(Snapshot snapshot, String secret) {
        return sessions.find(snapshot, secret)
                .filter(session -> !session.oneOrg() || isAlone(snapshot, session))
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.FORBIDDEN,
                                        "sign in with your password to connect an account"));
    }

    private boolean isAlone(Snapshot snapshot, OperatorSessionStore.Session session) {
        return operators.ofPerson(snapshot, session.person()).size() == 1;
    }

    private String freeName(Snapshot snapshot, Actor actor, String name) {
        for (int i = 1; i <= MOST_OF_ONE_NAME; i++) {
            String each = i == 1 ? name : name + "-" + i;
            if (operators.find(snapshot, actor.principal(), each).isEmpty()) {
                return each;
            }
        }
        throw new SkepException(
                ErrorCode.CONFLICT,
                "the user name %s is taken in %s; ask an admin there".formatted(name, actor.org()));
    }

    /** A user name made of what the provider calls the account. */
    private static String username(Identity identity) {
        String name =
                identity.name()
                        .strip()
                        .replaceAll("[^A-Za-z0-9._@-]", "-")
                        .replaceFirst("^[^A-Za-z0-9]+", "");
        String kept = name.isEmpty() ? "person" : name;
        return kept.length() > LONGEST_NAME ? kept.substring(0, LONGEST_NAME) : kept;
    }

    /** The hub does it, on the word of the provider. */
    private static Actor actor(OrgId org, SignIn.Caller caller) {
        return new Actor(new Principal.Local(org), caller.from());
    }
}
