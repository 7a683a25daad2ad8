package dev.skep.directory.operator;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.secret.PasswordHasher;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** What admins and people themselves do about operators. Thread-safe. */
public final class OperatorService {
    private final Database database;
    private final OperatorStore store;
    private final OperatorSessionStore sessions;
    private final PasswordHasher passwordHasher;
    private final SecondFactors secondFactors;
    private final IdentityStore identities;
    private final AuditStore audit;

    OperatorService(
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

    public List<Operator> all(Principal principal) {
        return database.read(snapshot -> store.all(snapshot, principal));
    }

    public Operator find(Principal principal, String idOrName) {
        return database.read(snapshot -> existing(snapshot, principal, idOrName));
    }

    /** A new operator and the secret of the link they sign in with first. */
    public record Added(Operator operator, String linkSecret) {
        @Override
        public String toString() {
            return operator.toString();
        }
    }

    public Added add(Actor actor, String username, Role role) {
        return database.write(
                transaction -> {
                    Operator added = store.add(transaction, actor, username, role);
                    return new Added(added, link(transaction, actor, added));
                });
    }

    public Operator disable(Actor actor, String idOrName) {
        return change(
                actor,
                idOrName,
                (transaction, operator) -> {
                    store.disable(transaction, actor, operator);
                    sessions.closeAll(transaction, operator);
                });
    }

    public Operator enable(Actor actor, String idOrName) {
        return change(
                actor,
                idOrName,
                (transaction, operator) -> store.enable(transaction, actor, operator));
    }

    public Operator setRole(Actor actor, String idOrName, Role role) {
        return change(
                actor,
                idOrName,
                (transaction, operator) -> store.setRole(transaction, actor, operator, role));
    }

    /**
     * Takes the password away, ends all sessions and makes a new link. What the person has in other
     * orgs is not this org's to give away: their operators there are separated from this one, and
     * need a link of their admins. The command line of the hub separates nothing.
     */
    public Added reset(Actor actor, String idOrName) {
        return database.write(
                transaction -> {
                    Operator operator = existing(transaction, actor.principal(), idOrName);
                    if (!(actor.principal() instanceof Principal.Local)) {
                        separate(transaction, operator);
                    }
                    store.setPassword(transaction, actor, operator, Optional.empty());
                    for (Operator each :
                            store.ofPerson(transaction, person(transaction, operator))) {
                        sessions.closeAll(transaction, each);
                    }
                    return new Added(operator, link(transaction, actor, operator));
                });
    }

    private void separate(Transaction transaction, Operator operator) {
        if (operator.signsInElsewhere()) {
            store.separate(transaction, operator);
            sessions.closeAll(transaction, operator);
            return;
        }
        for (Operator other : store.ofPerson(transaction, operator.id())) {
            if (!other.id().equals(operator.id())) {
                store.separate(transaction, other);
                sessions.closeAll(transaction, other);
            }
        }
        identities.removeAll(transaction, operator.id());
    }

    private String person(Snapshot snapshot, Operator operator) {
        return store.personOf(snapshot, find(snapshot, operator));
    }

    private Operator find(Snapshot snapshot, Operator operator) {
        return store.find(snapshot, operator.principal(), operator.id()).orElseThrow();
    }

    /** A new one-use link; the password and the sessions stay. */
    public Added signInLink(Actor actor, String idOrName) {
        return database.write(
                transaction -> {
                    Operator operator = existing(transaction, actor.principal(), idOrName);
                    return new Added(operator, link(transaction, actor, operator));
                });
    }

    /** Sets somebody's password from the command line of the hub, which ends their sessions. */
    public Operator setPassword(Actor actor, String idOrName, String next) {
        if (!(actor.principal() instanceof Principal.Local)) {
            throw new SkepException(
                    ErrorCode.FORBIDDEN,
                    "only the hub's own command line sets somebody's password; reset it and give"
                            + " them the link");
        }
        String hashed = passwordHasher.hash(next);
        return change(
                actor,
                idOrName,
                (transaction, operator) -> {
                    store.setPassword(transaction, actor, operator, Optional.of(hashed));
                    for (Operator each :
                            store.ofPerson(transaction, store.personOf(transaction, operator))) {
                        sessions.closeAll(transaction, each);
                    }
                });
    }

    /** Removes the second factor of somebody who lost phone and recovery codes. */
    public Operator resetSecondFactor(Actor actor, String idOrName) {
        return change(
                actor,
                idOrName,
                (transaction, operator) -> {
                    boolean isOurs =
                            actor.principal() instanceof Principal.Local
                                    || !operator.signsInElsewhere();
                    if (!isOurs) {
                        throw new SkepException(
                                ErrorCode.FORBIDDEN,
                                "%s signs in through another org, whose admins can do this; 'skep operators reset' makes them sign in here instead"
                                        .formatted(operator.username()));
                    }
                    secondFactors.reset(
                            transaction, actor, operator, store.personOf(transaction, operator));
                });
    }

    /** Where an operator of this org is signed in: only sessions that speak for this org now. */
    public List<OperatorSessionStore.SignInView> signIns(Principal principal, String idOrName) {
        return database.read(
                snapshot ->
                        sessions.open(snapshot, List.of(existing(snapshot, principal, idOrName))));
    }

    /** Ends one of them. */
    public void endSignIn(Actor actor, String idOrName, String id) {
        database.write(
                transaction -> {
                    Operator operator = existing(transaction, actor.principal(), idOrName);
                    if (!sessions.end(transaction, List.of(operator), id)) {
                        throw PersonService.noSignIn(id);
                    }
                    audit.record(
                            transaction,
                            actor,
                            "session_ended",
                            "operator:" + operator.id(),
                            Map.of("session", id));
                    return id;
                });
    }

    /**
     * If no operator has ever signed in: makes sure that there is an admin and returns the secret
     * of a sign-in link.
     */
    public Optional<Added> firstSignIn(Actor actor) {
        return database.write(
                transaction -> {
                    if (store.anybodySignedIn(transaction)) {
                        return Optional.<Added>empty();
                    }
                    Operator admin =
                            store.find(transaction, actor.principal(), "admin")
                                    .orElseGet(
                                            () ->
                                                    store.add(
                                                            transaction,
                                                            actor,
                                                            "admin",
                                                            Role.ADMIN));
                    return Optional.of(new Added(admin, link(transaction, actor, admin)));
                });
    }

    private String link(Transaction transaction, Actor actor, Operator operator) {
        return sessions.link(transaction, operator, actor.principal().label());
    }

    private Operator change(
            Actor actor, String idOrName, BiConsumer<Transaction, Operator> change) {
        return database.write(
                transaction -> {
                    Operator operator = existing(transaction, actor.principal(), idOrName);
                    change.accept(transaction, operator);
                    return existing(transaction, actor.principal(), operator.id());
                });
    }

    private Operator existing(Snapshot snapshot, Principal principal, String idOrName) {
        return store.find(snapshot, principal, idOrName)
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.NOT_FOUND,
                                        "there is no operator %s; see: skep operators list"
                                                .formatted(idOrName)));
    }
}
