package dev.skep.directory.operator;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.secret.PasswordHasher;
import dev.skep.directory.secret.SealedSecrets;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The services about people, on the tables of one database. */
public record People(
        OperatorSessionStore sessions,
        OperatorService operatorService,
        PersonService personService,
        SignIn signIn,
        IdentitySignIn identitySignIn) {

    /**
     * What the machine gives.
     *
     * @param secrets opened when first needed
     */
    public record Tools(
            UlidSource ids,
            InstantSource clock,
            InstantSource steady,
            LongSupplier nanoTime,
            SecureRandom random,
            PasswordHasher passwordHasher,
            Supplier<SealedSecrets> secrets) {}

    public static People of(Database database, AuditStore audit, Tools tools) {
        OperatorSessionStore sessions =
                new OperatorSessionStore(
                        tools.ids(),
                        tools.clock(),
                        tools.steady(),
                        new SecretGenerator(tools.random()));
        OperatorStore store = new OperatorStore(tools.ids(), tools.clock(), audit);
        IdentityStore identities = new IdentityStore(tools.clock());
        SecondFactors secondFactors =
                new SecondFactors(
                        tools.secrets(), tools.random(), tools.clock(), audit, tools.nanoTime());
        SignIn signIn =
                new SignIn(
                        database,
                        store,
                        sessions,
                        tools.passwordHasher(),
                        secondFactors,
                        audit,
                        tools.steady(),
                        tools.nanoTime());
        return new People(
                sessions,
                new OperatorService(
                        database,
                        store,
                        sessions,
                        tools.passwordHasher(),
                        secondFactors,
                        identities,
                        audit),
                new PersonService(
                        database,
                        store,
                        sessions,
                        tools.passwordHasher(),
                        secondFactors,
                        identities,
                        audit),
                signIn,
                new IdentitySignIn(database, store, sessions, identities, signIn, audit));
    }
}
