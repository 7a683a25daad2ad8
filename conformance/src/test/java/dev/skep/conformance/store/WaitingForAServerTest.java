package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.Transaction;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whoever must not wait long is told so by the server itself, which then waits no longer either.
 */
@Timeout(60)
class WaitingForAServerTest {
    @Test
    void a_lock_held_beyond_the_time_limit_fails_the_call_and_the_next_one_works() {
        DatabaseUrl url = DatabaseUrl.parse(PostgresServer.newDatabaseUrl(), Path.of(""));
        try (Database database = Databases.open(url, SettableClock.atNewYear())) {
            Database hurried = database.within(Duration.ofSeconds(1));
            database.write(
                    transaction -> {
                        touch(transaction);
                        var elsewhere =
                                CompletableFuture.runAsync(
                                        () -> hurried.write(WaitingForAServerTest::touch));
                        assertThatThrownBy(elsewhere::join)
                                .cause()
                                .isInstanceOfSatisfying(
                                        SkepException.class,
                                        failure ->
                                                assertThat(failure.code())
                                                        .isEqualTo(ErrorCode.DATABASE_BUSY));
                        return true;
                    });
            assertThat(hurried.write(WaitingForAServerTest::touch)).isEqualTo(1);
        }
    }

    private static int touch(Transaction transaction) {
        return transaction.update("UPDATE feed_clock SET one = one");
    }
}
