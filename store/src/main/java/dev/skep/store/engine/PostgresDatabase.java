package dev.skep.store.engine;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import dev.skep.store.jdbc.JdbcTransaction;
import dev.skep.store.jdbc.StatementCache;
import dev.skep.store.jdbc.UncheckedSqlException;
import dev.skep.store.jdbc.UnnestInserter;
import dev.skep.store.jdbc.WrittenTables;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL database behind a bounded pool. Writes run at READ COMMITTED, each in a transaction
 * of its own; those that stamp rows queue at the feed clock, so stamp order is commit order.
 */
final class PostgresDatabase implements Database {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresDatabase.class);
    private static final int CONNECTIONS = 10;
    private static final int TRIES = 5;
    private static final int BOUNDED_CONNECTIONS = 2;
    private static final String BOUNDED_CONNECT_SECONDS = "2";
    private static final int BOUNDED_CONNECT_MILLIS = 2_000;

    private final DatabaseUrl.Postgres url;
    private final PostgresErrors errors;
    private final HikariDataSource pool;
    private final WrittenTables writtenTables;
    private final List<PostgresDatabase> bounded = new CopyOnWriteArrayList<>();
    private final ThreadLocal<Boolean> writing = ThreadLocal.withInitial(() -> false);

    private PostgresDatabase(
            DatabaseUrl.Postgres url, HikariDataSource pool, WrittenTables writtenTables) {
        this.url = url;
        this.errors = new PostgresErrors(url);
        this.pool = pool;
        this.writtenTables = writtenTables;
    }

    static PostgresDatabase open(DatabaseUrl.Postgres url) {
        return new PostgresDatabase(url, pool(url, usual(url)), new WrittenTables());
    }

    /** Over connections of its own: those of the others may all be waiting. */
    @Override
    public Database within(Duration patience) {
        HikariConfig config = usual(url);
        config.setPoolName("postgres-bounded");
        config.setMaximumPoolSize(BOUNDED_CONNECTIONS);
        config.setConnectionTimeout(BOUNDED_CONNECT_MILLIS);
        config.setValidationTimeout(BOUNDED_CONNECT_MILLIS / 2);
        config.addDataSourceProperty("connectTimeout", BOUNDED_CONNECT_SECONDS);
        config.addDataSourceProperty("loginTimeout", BOUNDED_CONNECT_SECONDS);
        // The server gives up first, if it can: nothing is left behind then.
        config.setConnectionInitSql("SET statement_timeout = " + patience.toMillis());
        config.addDataSourceProperty("socketTimeout", Long.toString(patience.toSeconds() + 1));
        config.setIsolateInternalQueries(true);
        var database = new PostgresDatabase(url, pool(url, config), writtenTables);
        bounded.add(database);
        return database;
    }

    private static HikariConfig usual(DatabaseUrl.Postgres url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(named(jdbcUrl(url)));
        config.setUsername(url.user());
        config.setPassword(url.password());
        config.setPoolName("postgres");
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(1);
        config.setAutoCommit(false);
        config.setConnectionTimeout(10_000);
        config.addDataSourceProperty("reWriteBatchedInserts", "true");
        return config;
    }

    private static HikariDataSource pool(DatabaseUrl.Postgres url, HikariConfig config) {
        try {
            return new HikariDataSource(config);
        } catch (PoolInitializationException e) {
            if (e.getCause() instanceof SQLException sql) {
                throw new PostgresErrors(url).translate(sql);
            }
            throw new SkepException(
                    ErrorCode.DATABASE_UNREACHABLE,
                    "cannot reach PostgreSQL at %s; check DATABASE_URL".formatted(url),
                    e);
        }
    }

    private static String jdbcUrl(DatabaseUrl.Postgres url) {
        String options = url.options() == null ? "" : "?" + url.options();
        return "jdbc:postgresql://%s:%d/%s%s"
                .formatted(url.host(), url.port(), url.database(), options);
    }

    /** By the name of its sessions the server knows which processes live. */
    private static String named(String url) {
        return "%s%sApplicationName=skep-%016x"
                .formatted(url, url.contains("?") ? "&" : "?", new SecureRandom().nextLong());
    }

    @Override
    public SqlDialect dialect() {
        return SqlDialect.POSTGRES;
    }

    @Override
    public String name() {
        return url.toString();
    }

    @Override
    public <T> T write(Work<Transaction, T> work) {
        if (writing.get()) {
            throw new IllegalStateException("a write inside a write; pass the transaction on");
        }
        writing.set(true);
        try {
            for (int tried = 1; ; tried++) {
                try {
                    return writeOnce(work);
                } catch (SQLException e) {
                    if (tried == TRIES || !PostgresErrors.isWorthRetrying(e)) {
                        throw errors.translate(e);
                    }
                }
            }
        } finally {
            writing.remove();
        }
    }

    private <T> T writeOnce(Work<Transaction, T> work) throws SQLException {
        try (Connection connection = pool.getConnection();
                StatementCache statementCache = new StatementCache(connection)) {
            JdbcTransaction transaction = transaction(statementCache, writtenTables);
            T result;
            try {
                result = work.in(transaction);
                connection.commit();
            } catch (UncheckedSqlException e) {
                rollback(connection);
                throw e.sql();
            } catch (RuntimeException | Error e) {
                rollback(connection);
                throw e;
            }
            transaction.actionsAfterCommit().forEach(PostgresDatabase::runAfterCommit);
            return result;
        }
    }

    @Override
    public <T> T read(Work<Snapshot, T> work) {
        try (Connection connection = pool.getConnection();
                StatementCache statementCache = new StatementCache(connection)) {
            try {
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                connection.setReadOnly(true);
                return work.in(transaction(statementCache, WrittenTables.IGNORED));
            } finally {
                rollback(connection);
            }
        } catch (UncheckedSqlException e) {
            throw errors.translate(e.sql());
        } catch (SQLException e) {
            throw errors.translate(e);
        }
    }

    private static JdbcTransaction transaction(
            StatementCache statementCache, WrittenTables writtenTables) {
        return new JdbcTransaction(
                SqlDialect.POSTGRES, statementCache, new UnnestInserter(), writtenTables);
    }

    private static void runAfterCommit(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.error("an action after a commit failed", e);
        }
    }

    private static void rollback(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException connectionGone) {
            // the server has rolled back already; the pool drops the connection
        }
    }

    @Override
    public Listening listen(String channel, Consumer<String> listener, Runnable again) {
        PostgresListener listening =
                new PostgresListener(
                        jdbcUrl(url), url.user(), url.password(), channel, listener, again);
        listening.start();
        return listening;
    }

    @Override
    public Listening onWritten(Consumer<Set<String>> listener) {
        return writtenTables.listen(listener);
    }

    @Override
    public void close() {
        bounded.forEach(PostgresDatabase::close);
        pool.close();
    }
}
