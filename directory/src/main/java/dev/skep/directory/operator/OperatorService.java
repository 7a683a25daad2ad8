package dev.skep.directory.operator;

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
import java.util.Optional;
import java.util.function.BiConsumer;

/** What admins and people themselves do about operators. Thread-safe. */
public final class OperatorService {
    private final Database database;
    private final OperatorStore store;
    private final OperatorSessionStore sessions;
    private final PasswordHasher passwordHasher;

    public OperatorService(
            Database database,
            OperatorStore store,
            OperatorSessionStore sessions,
            PasswordHasher passwordHasher) {
        this.database = database;
        this.store = store;
        this.sessions = sessions;
        this.passwordHasher = passwordHasher;
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

    /** Takes the password away, ends all sessions and makes a new link. */
    public Added reset(Actor actor, String idOrName) {
        return database.write(
                transaction -> {
                    Operator operator = existing(transaction, actor.principal(), idOrName);
                    store.setPassword(transaction, actor, operator, Optional.empty());
                    sessions.closeAll(transaction, operator);
                    return new Added(operator, link(transaction, actor, operator));
                });
    }

    /** A new one-use link; the password and the sessions stay. */
    public Added signInLink(Actor actor, String idOrName) {
        return database.write(
                transaction -> {
                    Operator operator = existing(transaction, actor.principal(), idOrName);
                    return new Added(operator, link(transaction, actor, operator));
                });
    }

    /**
     * Sets one's own password, which ends all sessions, and returns the secret of a new one. An
     * operator who has a password must give it.
     */
    public String setPassword(Actor actor, Optional<String> current, String next) {
        Operator operator = find(actor.principal(), ownId(actor));
        Optional<String> hash =
                database.read(
                        s ->
                                store.candidate(s, actor.org(), operator.username())
                                        .flatMap(OperatorStore.Candidate::passwordHash));
        if (hash.isPresent() && !passwordHasher.matches(current.orElse(""), hash.get())) {
            throw new SkepException(
                    ErrorCode.WRONG_PASSWORD, "the current password is wrong; type it again");
        }
        String hashed = passwordHasher.hash(next);
        return database.write(
                transaction -> {
                    Operator found = existing(transaction, actor.principal(), operator.id());
                    store.setPassword(transaction, actor, found, Optional.of(hashed));
                    sessions.closeAll(transaction, found);
                    return sessions.open(transaction, found, actor.principal().label());
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

    private static String ownId(Actor actor) {
        if (actor.principal() instanceof Principal.Operator(_, var id, _)) {
            return id.value();
        }
        throw new SkepException(
                ErrorCode.FORBIDDEN, "only an operator has a password; sign in as one");
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
