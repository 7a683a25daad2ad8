package dev.skep.benchmark.store;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.DatabaseUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What we are measured against: the same upsert of the same columns into the same migrated table,
 * written by hand on the bare driver. On SQLite with 100 rows a statement, the fastest way there
 * is; on PostgreSQL with JDBC batches, the way most programs do it.
 */
public final class PlainJdbc implements AutoCloseable {
    private static final SyncTable TABLE = AgentTables.CONTEXT_LOG;
    private static final int COMMON = 5;

    private final Connection connection;
    private final int rowsPerStatement;
    private long stamp;

    private PlainJdbc(Connection connection, int rowsPerStatement) throws SQLException {
        this.connection = connection;
        this.rowsPerStatement = rowsPerStatement;
        connection.setAutoCommit(false);
    }

    public static PlainJdbc sqlite(DatabaseUrl.Sqlite url) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + url.file());
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode=WAL");
            statement.execute("PRAGMA synchronous=FULL");
            statement.execute("PRAGMA cache_size=-16000");
        }
        return new PlainJdbc(connection, 100);
    }

    public static PlainJdbc postgres(DatabaseUrl.Postgres url) throws SQLException {
        return new PlainJdbc(
                DriverManager.getConnection(
                        "jdbc:postgresql://%s:%d/%s"
                                .formatted(url.host(), url.port(), url.database()),
                        url.user(),
                        url.password()),
                1);
    }

    public void put(List<@Nullable Object[]> rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql())) {
            for (int from = 0; from < rows.size(); from += rowsPerStatement) {
                int at = 1;
                for (@Nullable Object[] row : rows.subList(from, from + rowsPerStatement)) {
                    at = bind(statement, at, row);
                }
                if (rowsPerStatement > 1) {
                    statement.executeUpdate();
                } else {
                    statement.addBatch();
                }
            }
            if (rowsPerStatement == 1) {
                statement.executeBatch();
            }
        }
        connection.commit();
    }

    private int bind(PreparedStatement statement, int from, @Nullable Object[] row)
            throws SQLException {
        int at = from;
        statement.setString(at++, "01BENCHMARKORG000000000000");
        statement.setString(at++, "01BENCHMARKHOST00000000000");
        statement.setLong(at++, 0);
        statement.setLong(at++, ++stamp);
        statement.setLong(at++, stamp);
        for (Object value : row) {
            statement.setString(at++, (String) value);
        }
        return at;
    }

    private String sql() {
        String columns =
                "org_id, host_id, gen, ver, feed, "
                        + TABLE.columns().stream()
                                .map(Column::name)
                                .collect(Collectors.joining(", "));
        String one =
                "("
                        + String.join(
                                ", ", Collections.nCopies(COMMON + TABLE.columns().size(), "?"))
                        + ")";
        return """
               INSERT INTO context_log (%s) VALUES %s
               ON CONFLICT (id) DO UPDATE SET message = excluded.message, ver = excluded.ver, feed = excluded.feed
               WHERE excluded.host_id = context_log.host_id AND excluded.ver > context_log.ver
               """
                .formatted(columns, String.join(", ", Collections.nCopies(rowsPerStatement, one)));
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
