package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.assembly.Terminal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.DatabaseInspection;
import dev.skep.store.engine.Databases;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpgradingTest {
    @TempDir Path folder;

    @Test
    void yesterdays_data_dir_opens_with_its_rows_and_its_agents_go_on() throws IOException {
        OldDataDir.unpack(folder);
        try (var lifecycle = new Lifecycle()) {
            Assembly.Opened product =
                    new Assembly(TestSettings.up(folder), lifecycle, folder, "test")
                            .open(Composition.UP, Terminal.none());
            Database hub = product.main().database();
            assertThat(number(hub, "SELECT count(*) FROM users WHERE username IN ('alice', 'bob')"))
                    .isEqualTo(2);
            assertThat(mails(hub)).isGreaterThanOrEqualTo(OldDataDir.MAILS);
            assertThat(number(hub, "SELECT count(*) FROM context_log")).isPositive();

            Eventually.holds("new mail reaches the hub", () -> mails(hub) > OldDataDir.MAILS);
        }
        for (String name : new String[] {"runner.db", "hub.db"}) {
            var url = new DatabaseUrl.Sqlite(folder.resolve(name));
            DatabaseInspection seen = DatabaseInspection.of(url);
            assertThat(seen.schema()).isEqualTo(seen.newest());
            assertThat(seen.damage()).isEmpty();
            try (Database closed = Databases.openReadOnly(url)) {
                assertThat(mails(closed)).isGreaterThan(OldDataDir.MAILS);
            }
        }
    }

    private static long mails(Database database) {
        return number(database, "SELECT count(*) FROM mail_messages");
    }

    private static long number(Database database, String sql) {
        return database.read(db -> db.first(sql, row -> row.number(1)).orElseThrow());
    }
}
