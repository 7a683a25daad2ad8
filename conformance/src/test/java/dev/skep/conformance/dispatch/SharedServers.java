package dev.skep.conformance.dispatch;

import dev.skep.store.Database;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.server.RedisServer;
import dev.skep.testkit.server.TestDatabase;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One Redis and one database of each kind for all tests of a process, emptied between them: making
 * one takes longer than most tests. Tests of one process run one after the other.
 */
final class SharedServers {
    private static final List<String> TABLES =
            List.of(
                    "org_events",
                    "org_settings",
                    "job_output",
                    "job_runs",
                    "jobs",
                    "server_instances",
                    "host_slots",
                    "secret_targets",
                    "secret_seals",
                    "host_health");
    private static final Map<TestDatabase, Database> DATABASES = new EnumMap<>(TestDatabase.class);

    private SharedServers() {}

    private static final class Redis {
        static final RedisServer SERVER = RedisServer.forgetful(folder());
        static final StatefulRedisConnection<String, String> CONNECTION =
                RedisClient.create(SERVER.url()).connect();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
        }
    }

    /** An empty database; nobody closes it. */
    static synchronized Database database(TestDatabase kind) {
        Database database =
                DATABASES.computeIfAbsent(
                        kind, k -> Databases.open(k.create(folder()), InstantSource.system()));
        database.write(
                tx -> {
                    TABLES.forEach(table -> tx.update("DELETE FROM " + table));
                    return true;
                });
        return database;
    }

    static RedisServer redis() {
        return Redis.SERVER;
    }

    static void emptyRedis() {
        Redis.CONNECTION.sync().flushall();
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("shared");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
