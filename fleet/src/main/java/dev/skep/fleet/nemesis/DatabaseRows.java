package dev.skep.fleet.nemesis;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.SyncTable;
import dev.skep.registry.table.RegistryTables;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.Snapshot;
import dev.skep.store.engine.Databases;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything of one database that is compared, in one consistent state.
 *
 * @param host whose database it is
 * @param synced the rows of each synced table: its key, and all of the row as text
 * @param jobs by idempotency key, each with its runs' statuses
 */
record DatabaseRows(
        String host,
        Map<String, Map<String, Row>> synced,
        Map<String, List<String>> jobs,
        Map<String, String> operators,
        List<String> quarantine) {
    static final List<SyncTable> TABLES =
            Stream.of(List.of(HostTable.HOSTS), AgentTables.ALL, RegistryTables.ALL)
                    .flatMap(List::stream)
                    .toList();

    /** One row of a synced table: whose it is, and what is in it. */
    record Row(String owner, Map<String, String> values) {
        String value(String column) {
            return values.getOrDefault(column, "");
        }
    }

    static DatabaseRows of(Path file) {
        try (Database database = Databases.openReadOnly(new DatabaseUrl.Sqlite(file))) {
            return database.read(DatabaseRows::read);
        }
    }

    /** What SQLite says about the file. */
    static List<String> damage(Path file) {
        try (Database database = Databases.openReadOnly(new DatabaseUrl.Sqlite(file))) {
            return database
                    .read(
                            db ->
                                    db.list(
                                            "PRAGMA integrity_check",
                                            row -> String.valueOf(row.textOrNull(1))))
                    .stream()
                    .filter(line -> !line.equals("ok"))
                    .toList();
        }
    }

    private static DatabaseRows read(Snapshot db) {
        Map<String, Map<String, Row>> synced = new HashMap<>();
        for (SyncTable table : TABLES) {
            synced.put(table.name(), rows(db, table));
        }
        Map<String, List<String>> jobs =
                db
                        .list(
                                """
                                SELECT j.idempotency_key, r.status
                                FROM jobs j JOIN job_runs r ON r.job_id = j.id
                                WHERE j.idempotency_key IS NOT NULL ORDER BY r.attempt""",
                                row -> List.of(row.text(1), row.text(2)))
                        .stream()
                        .collect(
                                Collectors.groupingBy(
                                        List::getFirst,
                                        Collectors.mapping(List::getLast, Collectors.toList())));
        Map<String, String> operators = new HashMap<>();
        db.list(
                        "SELECT username, role FROM operators",
                        row -> List.of(row.text(1), row.text(2).toLowerCase(Locale.ROOT)))
                .forEach(each -> operators.put(each.getFirst(), each.getLast()));
        return new DatabaseRows(
                db.first("SELECT host_id FROM local_host", row -> row.text(1)).orElse("nobody"),
                synced,
                jobs,
                operators,
                db.list(
                        "SELECT table_name, reason FROM sync_quarantine",
                        row -> row.text(1) + ": " + row.text(2)));
    }

    private static Map<String, Row> rows(Snapshot db, SyncTable table) {
        List<String> columns =
                Stream.concat(
                                Stream.of("host_id", "gen", "ver"),
                                table.columns().stream().map(Column::name))
                        .toList();
        Map<String, Row> rows = new HashMap<>();
        db.list(
                        "SELECT %s FROM %s".formatted(String.join(", ", columns), table.name()),
                        row -> {
                            Map<String, String> values = new TreeMap<>();
                            for (int i = 0; i < columns.size(); i++) {
                                String value = row.textOrNull(i + 1);
                                values.put(columns.get(i), value == null ? "" : value);
                            }
                            return values;
                        })
                .forEach(
                        values ->
                                rows.put(
                                        table.key().stream()
                                                .map(values::get)
                                                .collect(Collectors.joining(" ")),
                                        new Row(values.getOrDefault("host_id", ""), values)));
        return rows;
    }

    Map<String, Row> table(String name) {
        return synced.getOrDefault(name, Map.of());
    }
}
