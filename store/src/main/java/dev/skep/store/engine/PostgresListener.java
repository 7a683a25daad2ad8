package dev.skep.store.engine;

import dev.skep.store.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on a connection of its own, and connects again when that is lost. */
final class PostgresListener implements Database.Listening {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresListener.class);
    private static final Pattern PLAIN = Pattern.compile("[a-z_]+");
    private static final int LOOK_MILLIS = 10_000;

    private final String url;
    private final Properties login = new Properties();
    private final String channel;
    private final Consumer<String> listener;
    private final Runnable again;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch listening = new CountDownLatch(1);
    private volatile @Nullable Connection open;

    PostgresListener(
            String url,
            @Nullable String user,
            @Nullable String password,
            String channel,
            Consumer<String> listener,
            Runnable again) {
        if (!PLAIN.matcher(channel).matches()) {
            throw new IllegalArgumentException("not a plain channel name: " + channel);
        }
        this.url = url;
        this.channel = channel;
        this.listener = listener;
        this.again = again;
        if (user != null) {
            login.setProperty("user", user);
        }
        if (password != null) {
            login.setProperty("password", password);
        }
    }

    /** Returns when it listens, or after a while when the server is away. */
    void start() {
        Thread.ofVirtual().name("listen-" + channel).start(this::run);
        try {
            listening.await(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        boolean logged = false;
        try {
            while (closed.getCount() > 0) {
                try (Connection connection = DriverManager.getConnection(url, login);
                        Statement statement = connection.createStatement()) {
                    open = connection;
                    statement.execute("LISTEN " + channel);
                    if (listening.getCount() == 0) {
                        again.run();
                    }
                    listening.countDown();
                    if (logged) {
                        LOG.info("listening again channel={}", channel);
                        logged = false;
                    }
                    readNotifications(connection.unwrap(PGConnection.class));
                } catch (SQLException e) {
                    if (!logged && closed.getCount() > 0) {
                        LOG.warn("not listening channel={} reason={}", channel, e.getMessage());
                        logged = true;
                    }
                    if (closed.await(1, TimeUnit.SECONDS)) {
                        return;
                    }
                }
            }
        } catch (InterruptedException e) {
            // only the closing process interrupts
        }
    }

    private void readNotifications(PGConnection connection) throws SQLException {
        while (closed.getCount() > 0) {
            PGNotification[] notifications = connection.getNotifications(LOOK_MILLIS);
            if (notifications != null) {
                for (PGNotification each : notifications) {
                    listener.accept(each.getParameter());
                }
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
        Connection connection = open;
        if (connection != null) {
            try {
                // Ends the wait for notifications too.
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                // gone already
            }
        }
    }
}
