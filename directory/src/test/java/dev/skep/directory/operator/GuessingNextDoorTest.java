package dev.skep.directory.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.DirectoryTestHub;
import dev.skep.directory.operator.SignInRateLimit.SignInAttempt;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuessingNextDoorTest {
    private static final OrgId ORG = new OrgId("default");
    private static final String OFFICE = "192.0.2.1";
    private static final String ELSEWHERE = "198.51.100.7";

    @TempDir Path folder;
    private DirectoryTestHub hub;
    private SignInRateLimit signInRateLimit;
    private Operator ada;
    private long nanos;

    @BeforeEach
    void open() {
        hub = new DirectoryTestHub(folder);
        signInRateLimit = new SignInRateLimit(hub.process.clock, () -> nanos);
        hub.directory.operatorService().add(hub.local("default"), "ada", Role.VIEWER);
        ada = hub.directory.operatorService().find(hub.local("default").principal(), "ada");
        hub.process.database.write(
                tx -> {
                    signInRateLimit.cameFrom(tx, ada, OFFICE);
                    return ada;
                });
    }

    @AfterEach
    void close() {
        hub.close();
    }

    private boolean mayTry(String username, String from) {
        Optional<SignInRateLimit.Taken> taken = take(username, from);
        taken.ifPresent(signInRateLimit::giveBack);
        return taken.isPresent();
    }

    private Optional<SignInRateLimit.Taken> take(String username, String from) {
        Optional<Operator> known = username.equals("ada") ? Optional.of(ada) : Optional.empty();
        return hub.process.database.read(
                s ->
                        signInRateLimit.take(
                                s, new SignInAttempt(ORG + "/" + username, from), false, known));
    }

    private void wrong(int times, String username, String from) {
        for (int i = 0; i < times; i++) {
            assertThat(take(username, from)).isPresent();
        }
    }

    @Test
    void a_neighbour_who_guesses_other_names_locks_out_no_one_who_signed_in_from_there() {
        for (int i = 0; i < 20; i++) {
            wrong(1, "name" + i, OFFICE);
        }
        assertThat(mayTry("bob", OFFICE)).as("has not been here").isFalse();
        assertThat(mayTry("ada", OFFICE)).isTrue();
        assertThat(mayTry("bob", ELSEWHERE)).isTrue();
    }

    @Test
    void guessing_at_a_name_elsewhere_leaves_its_own_place_open() {
        wrong(5, "ada", ELSEWHERE);
        assertThat(mayTry("ada", ELSEWHERE)).isFalse();
        assertThat(mayTry("ada", "203.0.113.9")).as("guessing from many places").isFalse();
        assertThat(mayTry("ada", OFFICE)).isTrue();
    }

    @Test
    void a_name_has_few_tries_at_its_own_place_too() {
        wrong(5, "ada", OFFICE);
        assertThat(mayTry("ada", OFFICE)).isFalse();
        nanos += Duration.ofSeconds(13).toNanos();
        assertThat(mayTry("ada", OFFICE)).isTrue();
    }

    @Test
    void a_place_without_a_recent_sign_in_is_like_any_other() {
        hub.process.clock.advance(Duration.ofDays(91));
        wrong(5, "ada", ELSEWHERE);
        assertThat(mayTry("ada", OFFICE)).isFalse();
    }
}
