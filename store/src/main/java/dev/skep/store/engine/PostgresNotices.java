package dev.skep.store.engine;

import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears what PostgreSQL tells on one channel, over a connection of its own: a pooled one would be
 * handed to others. It connects again when the server was away; what was told meanwhile is missed,
 * so the action also runs after each connect.
 */
final class PostgresNotices implements Database.Watch {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresNotices.class);
    private static final int WAIT_MILLIS = 1_000;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final DatabaseUrl.Postgres url;
    private final String channel;
    private final Runnable action;
    private final Thread thread;
    private volatile boolean closed;
    private boolean failing;

    private PostgresNotices(DatabaseUrl.Postgres url, String channel, Runnable action) {
        this.url = url;
        this.channel = channel;
        this.action = action;
        this.thread = Thread.ofVirtual().name("postgres-notices").unstarted(this::run);
    }

    static PostgresNotices listen(DatabaseUrl.Postgres url, String channel, Runnable action) {
        PostgresNotices notices = new PostgresNotices(url, channel, action);
        notices.thread.start();
        return notices;
    }

    private void run() {
        try {
            while (!closed) {
                try {
                    listenOnce();
                } catch (SQLException e) {
                    tellOnce(e);
                    Thread.sleep(PAUSE);
                }
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void listenOnce() throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(PostgresDatabase.jdbcUrl(url), properties());
                Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + channel);
            failing = false;
            PGConnection postgres = connection.unwrap(PGConnection.class);
            action.run();
            while (!closed) {
                PGNotification @Nullable [] told = postgres.getNotifications(WAIT_MILLIS);
                if (told != null && told.length > 0) {
                    action.run();
                }
            }
        }
    }

    private Properties properties() {
        Properties properties = new Properties();
        if (url.user() != null) {
            properties.setProperty("user", url.user());
        }
        if (url.password() != null) {
            properties.setProperty("password", url.password());
        }
        properties.setProperty("ApplicationName", "skep");
        properties.setProperty("tcpKeepAlive", "true");
        return properties;
    }

    private void tellOnce(SQLException e) {
        if (!failing && !closed) {
            LOG.warn("not listening for changes database={} state={}", url, e.getSQLState());
        }
        failing = true;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
