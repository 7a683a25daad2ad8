package dev.skep.store.engine;

import dev.skep.store.SqlDialect;
import dev.skep.store.jdbc.JdbcTransaction;
import dev.skep.store.jdbc.StatementCache;
import dev.skep.store.jdbc.ValuesInserter;
import dev.skep.store.jdbc.WrittenTables;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** One connection to a SQLite file with the settings we rely on. Used by one thread at a time. */
final class SqliteConnection implements AutoCloseable {
    /**
     * How much of the log is written back to the file at once: a page that changed many times since
     * is written once. The committing thread waits for it.
     */
    private static final String LOG_PAGES = "4000";

    private final Connection connection;
    private final WrittenTables writtenTables;
    private final StatementCache statementCache;
    private final Statement control;

    private SqliteConnection(Connection connection, WrittenTables writtenTables)
            throws SQLException {
        this.connection = connection;
        this.writtenTables = writtenTables;
        this.statementCache = new StatementCache(connection);
        this.control = connection.createStatement();
    }

    /** The one connection that writes: a commit reaches the disk before its caller continues. */
    static SqliteConnection writer(Path file, WrittenTables writtenTables) throws SQLException {
        SQLiteConfig config = common();
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setPragma(SQLiteConfig.Pragma.JOURNAL_SIZE_LIMIT, "67108864");
        config.setPragma(SQLiteConfig.Pragma.WAL_AUTOCHECKPOINT, LOG_PAGES);
        SqliteConnection writer = new SqliteConnection(open(config, file), writtenTables);
        // In this order: only a file without its first page takes the first, and WAL writes it.
        writer.runToEnd("PRAGMA auto_vacuum = INCREMENTAL");
        writer.runToEnd("PRAGMA journal_mode = WAL");
        return writer;
    }

    static SqliteConnection reader(Path file) throws SQLException {
        SQLiteConfig config = common();
        config.setReadOnly(true);
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        return new SqliteConnection(open(config, file), WrittenTables.IGNORED);
    }

    private static SQLiteConfig common() {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(5_000);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        config.setCacheSize(-16_000);
        // Statements end their results themselves; asking SQLite for generated keys costs a query.
        config.setGetGeneratedKeys(false);
        // One thread at a time uses a connection, so SQLite need not lock it for every call.
        config.setOpenMode(SQLiteOpenMode.NOMUTEX);
        return config;
    }

    private static Connection open(SQLiteConfig config, Path file) throws SQLException {
        SqliteLibrary.load();
        return config.createConnection("jdbc:sqlite:" + file);
    }

    JdbcTransaction transaction() {
        return new JdbcTransaction(
                SqlDialect.SQLITE, statementCache, new ValuesInserter(), writtenTables);
    }

    void run(String sql) throws SQLException {
        control.execute(sql);
    }

    /** For statements that work in steps, of which {@link #run} would take only the first. */
    void runToEnd(String sql) throws SQLException {
        control.executeUpdate(sql);
    }

    /** Ends whatever is open; SQLite may have ended it itself after a full disk. */
    void rollbackQuietly() {
        try {
            control.execute("ROLLBACK");
        } catch (SQLException alreadyEnded) {
            // "no transaction is active": exactly what was wanted
        }
    }

    @Override
    public void close() throws SQLException {
        statementCache.close();
        control.close();
        connection.close();
    }
}
