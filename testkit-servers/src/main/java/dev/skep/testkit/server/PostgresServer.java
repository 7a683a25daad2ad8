package dev.skep.testkit.server;

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

    /**
     * For tests: it forgets when the machine dies, which no test makes it do, and is much faster.
     */
    private static final class Running {
        static final EmbeddedPostgres SERVER = start("off");
    }

    /** For benchmarks: a commit is on the disk before it returns. */
    private static final class Durable {
        static final EmbeddedPostgres SERVER = start("on");
    }

    private static EmbeddedPostgres start(String durable) {
        try {
            return EmbeddedPostgres.builder()
                    .setServerConfig("fsync", durable)
                    .setServerConfig("synchronous_commit", durable)
                    .setServerConfig("full_page_writes", durable)
                    .setServerConfig("max_connections", "300")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL from its Maven package did not start", e);
        }
    }

    /** A new, empty database on the shared server. */
    public static DatabaseUrl newDatabase() {
        return DatabaseUrl.parse(newDatabaseUrl(), Path.of(""));
    }

    /** The same as a user writes it. */
    public static String newDatabaseUrl() {
        return newDatabaseUrl(Running.SERVER);
    }

    /** A new, empty database whose commits are durable. */
    public static DatabaseUrl.Postgres newDurableDatabase() {
        return (DatabaseUrl.Postgres)
                DatabaseUrl.parse(newDatabaseUrl(Durable.SERVER), Path.of(""));
    }

    /** Ends a durable database; what it still had to write or tidy is done or gone after it. */
    public static void dropDurable(DatabaseUrl.Postgres database) {
        execute(Durable.SERVER, "DROP DATABASE " + database.database() + " WITH (FORCE)");
        execute(Durable.SERVER, "CHECKPOINT");
    }

    private static String newDatabaseUrl(EmbeddedPostgres server) {
        String name = "test_" + DATABASES.incrementAndGet();
        execute(server, "CREATE DATABASE " + name);
        return url(server, name);
    }

    private static void execute(EmbeddedPostgres server, String sql) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String url(EmbeddedPostgres server, String database) {
        return "postgresql://postgres:postgres@127.0.0.1:%d/%s"
                .formatted(server.getPort(), database);
    }
}
