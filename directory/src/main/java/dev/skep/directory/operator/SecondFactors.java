package dev.skep.directory.operator;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.secret.SealedSecrets;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.directory.secret.Totp;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Actor;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.transport.http.RateLimit;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The second factor of those who want one: codes of an authenticator app, and ten recovery codes.
 * Each code works once. Wrong ones are limited for each person, wherever they come from. Codes go
 * by the wall clock, which is what the app has too. Thread-safe.
 */
final class SecondFactors {
    private static final int RECOVERY_CODES = 10;
    private static final int WRONG_CODES = 10;

    private final SecondFactorStore store;
    private final Supplier<SealedSecrets> secrets;
    private final SecureRandom random;
    private final SecretGenerator secretGenerator;
    private final InstantSource clock;
    private final AuditStore audit;
    private final RateLimit wrong;

    /**
     * On the tables of a database.
     *
     * @param secrets what the secrets are encrypted with, opened when first needed
     */
    SecondFactors(
            Supplier<SealedSecrets> secrets,
            SecureRandom random,
            InstantSource clock,
            AuditStore audit,
            LongSupplier nanoTime) {
        this.store = new SecondFactorStore(clock);
        this.secrets = secrets;
        this.random = random;
        this.secretGenerator = new SecretGenerator(random);
        this.clock = clock;
        this.audit = audit;
        this.wrong = new RateLimit(WRONG_CODES, Duration.ofHours(1), WRONG_CODES, nanoTime);
    }

    boolean isOn(Snapshot snapshot, String person) {
        return store.find(snapshot, person)
                .filter(SecondFactorStore.StoredFactor::confirmed)
                .isPresent();
    }

    long recoveryCodesLeft(Snapshot snapshot, String person) {
        return store.recoveryCodesLeft(snapshot, person);
    }

    /** Makes a secret, which counts when a code of it was given to {@link #confirm}. */
    NewFactor begin(Transaction transaction, String person, String username) {
        String secret = Totp.newSecret(random);
        if (!store.begin(transaction, person, secrets.get().seal(secret, belongsTo(person)))) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "you have a second factor already; remove it before you set up another");
        }
        String name = URLEncoder.encode(username, StandardCharsets.UTF_8);
        return new NewFactor(
                secret, "otpauth://totp/Skep:%s?secret=%s&issuer=Skep".formatted(name, secret));
    }

    /** Turns it on and returns the recovery codes, which are known only now. */
    List<String> confirm(Transaction transaction, Actor actor, String person, String code) {
        SecondFactorStore.StoredFactor begun =
                store.find(transaction, person)
                        .filter(found -> !found.confirmed())
                        .orElseThrow(
                                () ->
                                        new SkepException(
                                                ErrorCode.CONFLICT,
                                                "no second factor is being set up; start again"));
        OptionalLong step = stepOf(begun, person, code);
        if (step.isEmpty()
                || !store.confirm(transaction, person, begun.sealed(), step.getAsLong())) {
            throw wrongCode();
        }
        List<String> codes = Stream.generate(secretGenerator::code).limit(RECOVERY_CODES).toList();
        store.replaceRecoveryCodes(transaction, person, codes);
        audit.record(
                transaction, actor, "second_factor_added", actor.principal().label(), Map.of());
        return codes;
    }

    /**
     * Takes one of the person's few wrong codes, before the code is judged in a transaction that a
     * wrong one rolls back; {@link #giveBack} after a right one.
     */
    void take(String person) {
        if (!wrong.take(person)) {
            throw new SkepException(
                    ErrorCode.TOO_MANY_REQUESTS,
                    "too many wrong codes; wait some minutes and try again");
        }
    }

    void giveBack(String person) {
        wrong.giveBack(person);
    }

    /** Uses up a code of the app or a recovery code; throws if it is wrong or was used. */
    void use(Transaction transaction, String person, String code) {
        Optional<SecondFactorStore.StoredFactor> factor = store.find(transaction, person);
        OptionalLong step =
                factor.map(found -> stepOf(found, person, code)).orElse(OptionalLong.empty());
        boolean right =
                step.isPresent()
                        ? store.use(transaction, person, step.getAsLong())
                        : store.useRecoveryCode(
                                transaction, person, code.strip().toUpperCase(Locale.ROOT));
        if (!right) {
            throw wrongCode();
        }
    }

    /** Removes it without a code, for an admin whose colleague lost both phone and codes. */
    void reset(Transaction transaction, Actor actor, Operator operator, String person) {
        store.remove(transaction, person);
        audit.record(
                transaction, actor, "second_factor_removed", "operator:" + operator.id(), Map.of());
    }

    private OptionalLong stepOf(SecondFactorStore.StoredFactor factor, String person, String code) {
        return Totp.stepOf(
                secrets.get().open(factor.sealed(), belongsTo(person)),
                code,
                clock.instant(),
                factor.lastStep());
    }

    private static String belongsTo(String person) {
        return "second-factor:" + person;
    }

    private static SkepException wrongCode() {
        return new SkepException(
                ErrorCode.WRONG_CODE,
                "this code is wrong or was used; type the next one that your app shows, or a"
                        + " recovery code");
    }
}
