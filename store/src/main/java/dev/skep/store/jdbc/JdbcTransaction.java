package dev.skep.store.jdbc;

import dev.skep.store.BulkInsert;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A transaction on a JDBC connection; the engine begins and ends it. */
public final class JdbcTransaction implements Transaction {
    /** How many rows the driver fetches at once where it would otherwise fetch them all. */
    private static final int FETCH = 256;

    private final SqlDialect dialect;
    private final StatementCache statementCache;
    private final BulkInserter inserter;
    private final WrittenTables.Writing writing;
    private final List<Runnable> afterCommit = new ArrayList<>();

    /** Reports the tables it wrote to {@code writings} once it is durable. */
    public JdbcTransaction(
            SqlDialect dialect,
            StatementCache statementCache,
            BulkInserter inserter,
            WrittenTables writtenTables) {
        this.dialect = dialect;
        this.statementCache = statementCache;
        this.inserter = inserter;
        this.writing = writtenTables.begin();
    }

    @Override
    public SqlDialect dialect() {
        return dialect;
    }

    @Override
    public <T> List<T> list(String sql, RowReader<T> reader, @Nullable Object... parameters) {
        List<T> rows = new ArrayList<>();
        try (Cursor<T> cursor = stream(sql, reader, parameters)) {
            for (T row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row);
            }
        }
        return rows;
    }

    @Override
    public <T> Optional<T> first(String sql, RowReader<T> reader, @Nullable Object... parameters) {
        try (Cursor<T> cursor = stream(sql, reader, parameters)) {
            return Optional.ofNullable(cursor.next());
        }
    }

    @Override
    public <T> Cursor<T> stream(String sql, RowReader<T> reader, @Nullable Object... parameters) {
        try {
            PreparedStatement statement = statementCache.borrow(sql);
            ParameterBinder.bind(statement, parameters);
            writing.ran(sql);
            statement.setFetchSize(FETCH);
            return new JdbcCursor<>(sql, statement, statement.executeQuery(), reader);
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }

    @Override
    public int update(String sql, @Nullable Object... parameters) {
        try {
            PreparedStatement statement = statementCache.borrow(sql);
            ParameterBinder.bind(statement, parameters);
            writing.ran(sql);
            int changed = statement.executeUpdate();
            statementCache.giveBack(sql, statement);
            return changed;
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }

    @Override
    public int insertAll(BulkInsert insert, List<@Nullable Object[]> rows) {
        writing.wrote(insert.table());
        try {
            return inserter.insert(statementCache, insert, rows);
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }

    @Override
    public int[] updateAll(String sql, List<@Nullable Object[]> rows) {
        if (rows.isEmpty()) {
            return new int[0];
        }
        writing.ran(sql);
        try {
            PreparedStatement statement = statementCache.borrow(sql);
            for (@Nullable Object[] row : rows) {
                ParameterBinder.bind(statement, row);
                statement.addBatch();
            }
            int[] changed = statement.executeBatch();
            statementCache.giveBack(sql, statement);
            return changed;
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }

    @Override
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    /** The actions to run now that the transaction is durable. */
    public List<Runnable> actionsAfterCommit() {
        writing.notification().ifPresent(afterCommit::add);
        return afterCommit;
    }

    private final class JdbcCursor<T> implements Cursor<T> {
        private final String sql;
        private final PreparedStatement statement;
        private final ResultSet result;
        private final JdbcResultRow jdbcResultRow;
        private final RowReader<T> reader;

        JdbcCursor(String sql, PreparedStatement statement, ResultSet result, RowReader<T> reader) {
            this.sql = sql;
            this.statement = statement;
            this.result = result;
            this.jdbcResultRow = new JdbcResultRow(dialect, result);
            this.reader = reader;
        }

        @Override
        public @Nullable T next() {
            try {
                return result.next() ? reader.read(jdbcResultRow) : null;
            } catch (SQLException e) {
                throw new UncheckedSqlException(e);
            }
        }

        @Override
        public void close() {
            try {
                result.close();
                statementCache.giveBack(sql, statement);
            } catch (SQLException e) {
                throw new UncheckedSqlException(e);
            }
        }
    }
}
