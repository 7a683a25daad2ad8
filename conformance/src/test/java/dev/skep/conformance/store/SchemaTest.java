package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.SqlDialect;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class SchemaTest {
    private final TestDatabase kind;
    @TempDir Path folder;

    SchemaTest(TestDatabase kind) {
        this.kind = kind;
    }

    @Test
    void every_described_table_stands_in_the_schema_as_described() {
        try (StoreFixture fixture = new StoreFixture(kind, folder)) {
            for (SyncTable table : fixture.tables.all()) {
                Map<String, String> expected = new TreeMap<>();
                for (Column column : table.columns()) {
                    expected.put(column.name(), declared(column.type(), column.required()));
                }
                expected.putAll(
                        Map.of(
                                "org_id", "text not null",
                                "host_id", "text not null",
                                "gen", "bigint not null",
                                "ver", "bigint not null",
                                "feed", "bigint",
                                "extra", "text",
                                "stored_at", "bigint not null"));
                assertThat(columnsOf(fixture, table.name())).as(table.name()).isEqualTo(expected);
            }
        }
    }

    @Test
    void every_described_table_has_its_key_and_a_session_that_of_agent_run_and_number() {
        try (StoreFixture fixture = new StoreFixture(kind, folder)) {
            for (SyncTable table : fixture.tables.all()) {
                assertThat(keyOf(fixture, table)).as(table.name()).isEqualTo(table.key());
            }
            assertThat(keyOf(fixture, AgentTables.RUN_SESSION))
                    .containsExactly("user_id", "run_id", "session_id");
        }
    }

    private static List<String> keyOf(StoreFixture fixture, SyncTable table) {
        String sql =
                fixture.database.dialect() == SqlDialect.SQLITE
                        ? "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk"
                        : """
                        SELECT k.column_name AS name FROM information_schema.key_column_usage k
                        JOIN information_schema.table_constraints c
                            ON c.constraint_name = k.constraint_name AND c.table_name = k.table_name
                        WHERE k.table_name = ? AND c.constraint_type = 'PRIMARY KEY'
                        ORDER BY k.ordinal_position
                        """;
        return fixture.database.read(s -> s.list(sql, row -> row.text("name"), table.name()));
    }

    @Test
    void how_far_each_peer_is_stands_under_the_names_of_the_seed() {
        try (StoreFixture fixture = new StoreFixture(kind, folder)) {
            assertThat(columnsOf(fixture, "hub_sync_state"))
                    .containsKeys("id", "since_timestamp", "updated_at");
        }
    }

    @Test
    void every_synced_table_has_the_indexes_its_feed_and_its_oldest_rows_are_read_by() {
        try (StoreFixture fixture = new StoreFixture(kind, folder)) {
            String sql =
                    fixture.database.dialect() == SqlDialect.SQLITE
                            ? "SELECT name FROM sqlite_master WHERE type = 'index'"
                            : "SELECT indexname AS name FROM pg_indexes";
            List<String> indexes = fixture.database.read(s -> s.list(sql, row -> row.text("name")));
            List<String> expected = new ArrayList<>();
            fixture.tables.all().forEach(table -> expected.add(table.name() + "_feed"));
            fixture.tables.all().forEach(table -> expected.add(table.name() + "_stored"));

            assertThat(indexes).containsAll(expected);
        }
    }

    @Test
    void hosts_are_found_by_org_status_and_last_heartbeat() {
        try (StoreFixture fixture = new StoreFixture(kind, folder)) {
            String sql =
                    fixture.database.dialect() == SqlDialect.SQLITE
                            ? "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'host_health' AND sql IS NOT NULL"
                            : "SELECT indexdef AS sql FROM pg_indexes WHERE tablename = 'host_health'";
            List<String> indexes = fixture.database.read(s -> s.list(sql, row -> row.text("sql")));

            for (String columns : List.of("(org_id)", "(org_id, status)", "(last_heartbeat_at)")) {
                assertThat(indexes).anyMatch(index -> index.endsWith(columns));
            }
        }
    }

    private static String declared(Column.Type type, boolean required) {
        return (type == Column.Type.TEXT ? "text" : "bigint") + (required ? " not null" : "");
    }

    private static Map<String, String> columnsOf(StoreFixture fixture, String table) {
        String sql =
                fixture.database.dialect() == SqlDialect.SQLITE
                        ? "SELECT name, type, \"notnull\" AS required FROM pragma_table_info(?)"
                        : """
                        SELECT column_name AS name, data_type AS type,
                            CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS required
                        FROM information_schema.columns WHERE table_name = ?
                        """;
        Map<String, String> columns = new TreeMap<>();
        fixture.database.read(
                s ->
                        s.list(
                                sql,
                                row ->
                                        columns.put(
                                                        row.text("name"),
                                                        row.text("type").toLowerCase(Locale.ROOT)
                                                                + (row.flag("required")
                                                                        ? " not null"
                                                                        : ""))
                                                == null,
                                table));
        return columns;
    }
}
