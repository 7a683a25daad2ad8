package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.assembly.Terminal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.engine.Examination;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data dir that {@code skep up} of commit 1a70b95 made in half a minute: alice and bob, who mail
 * each other, on host "elder", with their hub. Its keys were never used for anything else.
 */
class UpgradingTest {
    private static final int OLD_MAILS = 11;

    @TempDir Path folder;

    @BeforeEach
    void unpack() throws IOException {
        InputStream in = UpgradingTest.class.getResourceAsStream("data-dir-1a70b95.zip");
        try (ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(in))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(file.resolveSibling("."));
                Files.copy(zip, file);
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
        }
    }

    @Test
    void yesterdays_data_dir_opens_with_its_rows_and_its_agents_go_on() {
        try (var lifecycle = new Lifecycle()) {
            Assembly.Opened product =
                    new Assembly(Settings.up(folder), lifecycle, folder, "test")
                            .open(Composition.UP, Terminal.none());
            Database hub = product.main().database();
            assertThat(number(hub, "SELECT count(*) FROM users WHERE username IN ('alice', 'bob')"))
                    .isEqualTo(2);
            assertThat(mails(hub)).isGreaterThanOrEqualTo(OLD_MAILS);
            assertThat(number(hub, "SELECT count(*) FROM context_log")).isPositive();

            Eventually.holds("new mail reaches the hub", () -> mails(hub) > OLD_MAILS);
        }
        for (String name : new String[] {"runner.db", "hub.db"}) {
            var url = new DatabaseUrl.Sqlite(folder.resolve(name));
            Examination seen = Examination.of(url);
            assertThat(seen.schema()).isEqualTo(seen.newest());
            assertThat(seen.damage()).isEmpty();
            try (Database closed = Databases.openReadOnly(url)) {
                assertThat(mails(closed)).isGreaterThan(OLD_MAILS);
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
