package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.SkepException;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.PostgresServer;
import org.junit.jupiter.api.Test;

class MissingDatabaseTest {
    @Test
    void a_database_the_server_does_not_have_is_named() {
        DatabaseUrl.Postgres there = (DatabaseUrl.Postgres) PostgresServer.newDatabase();
        DatabaseUrl missing =
                new DatabaseUrl.Postgres(
                        there.host(), there.port(), "nope", there.user(), there.password(), null);

        assertThatThrownBy(() -> Databases.open(missing, SettableClock.atNewYear()).close())
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("nope")
                .hasMessageContaining("createdb");
    }
}
