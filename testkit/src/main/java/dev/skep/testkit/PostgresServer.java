package dev.skep.testkit;

import dev.skep.store.DatabaseUrl;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL from a Maven package, started once per process and ended with it. */
public final class PostgresServer {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private PostgresServer() {}

    private static final class Running {
        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                // The package switches fsync off; ours is on, so that benchmarks are honest.
                return EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("max_connections", "300")
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "PostgreSQL from its Maven package did not start", e);
            }
        }
    }

    /** A new, empty database on the shared server. */
    public static DatabaseUrl newDatabase() {
        return DatabaseUrl.parse(newDatabaseUrl(), Path.of(""));
    }

    /** The same as a user writes it. */
    public static String newDatabaseUrl() {
        String name = "test_" + DATABASES.incrementAndGet();
        try (Connection connection = Running.SERVER.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return url(name);
    }

    private static String url(String database) {
        return "postgresql://postgres:postgres@127.0.0.1:%d/%s"
                .formatted(Running.SERVER.getPort(), database);
    }
}
