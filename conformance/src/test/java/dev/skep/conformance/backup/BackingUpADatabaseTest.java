package dev.skep.conformance.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.row.Column;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.ResultRow;
import dev.skep.store.backup.BackupReader;
import dev.skep.store.backup.BackupRecord;
import dev.skep.store.backup.BackupWriter;
import dev.skep.store.backup.DatabaseDump;
import dev.skep.store.backup.DatabaseLoad;
import dev.skep.store.engine.DatabaseInspection;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.TestDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BackingUpADatabaseTest {
    private static final String TIME = "2027-01-01T00:00:00.000000Z";
    private static final int ROWS = 1_234;

    @TempDir Path folder;
    private final SettableClock clock = SettableClock.atNewYear();

    @ParameterizedTest
    @CsvSource({"SQLITE,SQLITE", "SQLITE,POSTGRES", "POSTGRES,SQLITE", "POSTGRES,POSTGRES"})
    void every_row_is_the_same_after_a_restore_into_either_database(
            TestDatabase from, TestDatabase to) throws IOException {
        Path backup = folder.resolve("backup");
        Map<String, List<String>> before;
        try (Database source = Databases.open(from.create(folder.resolve("from")), clock)) {
            fill(source);
            dump(source, backup);
            before = content(source, backup);
        }
        DatabaseUrl target = to.create(folder.resolve("to"));

        assertThat(new DatabaseLoad(backup, "hub", clock).into(target, false))
                .isGreaterThan(2 * ROWS);

        try (Database restored = Databases.open(target, clock)) {
            assertThat(content(restored, backup)).isEqualTo(before);
            assertThat(before).containsKeys("epochs", "audit_log", "users", "jobs");
        }
        assertThat(DatabaseInspection.of(target).damage()).isEmpty();
        assertThatThrownBy(() -> new DatabaseLoad(backup, "hub", clock).into(target, false))
                .hasMessageContaining("is not empty")
                .hasMessageContaining("--force");
        new DatabaseLoad(backup, "hub", clock).into(target, true);
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void a_backup_taken_while_others_write_is_of_one_moment(TestDatabase kind) throws Exception {
        try (Database source = Databases.open(kind.create(folder.resolve("busy")), clock)) {
            var stop = new AtomicBoolean();
            var begun = new CountDownLatch(20);
            Thread writer =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        for (long i = 1; !stop.get(); i++) {
                                            pair(source, i);
                                            begun.countDown();
                                        }
                                    });
            begun.await();
            for (int i = 0; i < 5; i++) {
                Path backup = folder.resolve("moment" + i);
                dump(source, backup);
                Map<String, Integer> counts = counts(backup);
                assertThat(counts.get("epochs")).isPositive().isEqualTo(counts.get("retention"));
            }
            stop.set(true);
            writer.join();
        }
    }

    /** Two rows in two tables, in one transaction: a moment has both or neither. */
    private static void pair(Database database, long i) {
        database.write(
                tx ->
                        tx.update("INSERT INTO epochs (epoch, end_n) VALUES (?, 0)", i)
                                + tx.update(
                                        "INSERT INTO retention (table_name, horizon) VALUES (?, ?)",
                                        "t" + i,
                                        TIME));
    }

    @Test
    void a_changed_bit_or_a_missing_end_is_found_before_anything_is_touched() throws IOException {
        Path backup = folder.resolve("backup");
        try (Database source =
                Databases.open(TestDatabase.SQLITE.create(folder.resolve("a")), clock)) {
            fill(source);
            dump(source, backup);
        }
        byte[] whole = Files.readAllBytes(backup);
        for (int at : new int[] {0, 30, whole.length / 3, whole.length / 2, whole.length - 3}) {
            byte[] bent = whole.clone();
            bent[at] ^= 4;
            refused(bent);
        }
        for (int length : new int[] {5, whole.length / 2, whole.length - 9}) {
            refused(Arrays.copyOf(whole, length));
        }
    }

    private void refused(byte[] bytes) throws IOException {
        Path bent = folder.resolve("bent");
        Files.write(bent, bytes);
        assertThatThrownBy(() -> counts(bent)).hasMessageContaining("backup");
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void a_backup_of_a_newer_schema_is_refused_and_an_older_one_is_brought_up_to_date(
            TestDatabase kind) throws IOException {
        Path backup = folder.resolve("backup");
        try (Database source =
                Databases.open(TestDatabase.SQLITE.create(folder.resolve("a")), clock)) {
            dump(source, backup);
        }
        Path newer = folder.resolve("newer");
        rewritten(backup, newer, steps -> steps.put(99, "a step of tomorrow"));
        DatabaseUrl target = kind.create(folder.resolve("b"));
        assertThatThrownBy(() -> new DatabaseLoad(newer, "hub", clock).into(target, false))
                .hasMessageContaining("schema version 99")
                .hasMessageContaining("update skep");

        Path older = folder.resolve("older");
        rewritten(backup, older, steps -> steps.keySet().removeIf(version -> version > 2));
        new DatabaseLoad(older, "hub", clock).into(target, false);
        Databases.openReadOnly(target).close();
    }

    private interface Change {
        void to(Map<Integer, String> steps);
    }

    /** The same schema record with other steps, and no tables. */
    private static void rewritten(Path from, Path to, Change change) throws IOException {
        try (BackupReader reader = BackupReader.open(from);
                OutputStream out = Files.newOutputStream(to);
                BackupWriter writer = new BackupWriter(out)) {
            for (BackupRecord record = reader.next(); record != null; record = reader.next()) {
                if (record instanceof BackupRecord.Schema(String name, var steps)) {
                    Map<Integer, String> changed = new TreeMap<>(steps);
                    change.to(changed);
                    writer.write(new BackupRecord.Schema(name, changed));
                }
            }
            writer.end();
        }
    }

    private void dump(Database source, Path to) throws IOException {
        try (OutputStream out = Files.newOutputStream(to);
                BackupWriter writer = new BackupWriter(out)) {
            writer.write(new BackupRecord.Header(Map.of("made_by", "a test")));
            new DatabaseDump(source, writer, (table, done, of) -> {}).write("hub");
            writer.end();
        }
    }

    private static Map<String, Integer> counts(Path backup) {
        Map<String, Integer> counts = new TreeMap<>();
        String table = "";
        try (BackupReader reader = BackupReader.open(backup)) {
            for (BackupRecord record = reader.next(); record != null; record = reader.next()) {
                if (record instanceof BackupRecord.Table(String name, _)) {
                    table = name;
                } else if (record instanceof BackupRecord.Row) {
                    counts.merge(table, 1, Integer::sum);
                }
            }
        }
        return counts;
    }

    private static void fill(Database database) {
        database.write(
                tx -> {
                    tx.update("INSERT INTO local_host (one, host_id) VALUES (1, ?)", "the-host");
                    tx.update("UPDATE feed_clock SET pos = 4711");
                    tx.update("UPDATE orgs SET name = 'renamed'");
                    for (int i = 0; i < ROWS; i++) {
                        tx.update("INSERT INTO epochs (epoch, end_n) VALUES (?, ?)", i, i * i);
                        tx.update(
                                """
                                INSERT INTO sync_quarantine
                                    (org_id, host_id, table_name, row_key, reason, row_json, created_at)
                                VALUES ('default', 'h', 'users', ?, 'because', ?, ?)
                                """,
                                "k" + i,
                                i % 3 == 0 ? null : "ünïcode \uD83D\uDC1D\n" + i,
                                TIME);
                    }
                    return ROWS;
                });
    }

    /** Every table the backup names, with its rows as texts, sorted. */
    private static Map<String, List<String>> content(Database database, Path backup) {
        Map<String, List<String>> content = new TreeMap<>();
        try (BackupReader reader = BackupReader.open(backup)) {
            for (BackupRecord record = reader.next(); record != null; record = reader.next()) {
                if (record instanceof BackupRecord.Table(String name, var columns)) {
                    content.put(name, rows(database, name, columns));
                }
            }
        }
        return content;
    }

    private static List<String> rows(Database database, String table, List<Column> columns) {
        String names = String.join(", ", columns.stream().map(Column::name).toList());
        return database
                .read(
                        db ->
                                db.list(
                                        "SELECT %s FROM %s".formatted(names, table),
                                        row -> text(row, columns.size())))
                .stream()
                .sorted()
                .toList();
    }

    private static String text(ResultRow row, int columns) {
        return IntStream.rangeClosed(1, columns)
                .mapToObj(row::textOrNull)
                .map(String::valueOf)
                .collect(Collectors.joining("|"));
    }
}
