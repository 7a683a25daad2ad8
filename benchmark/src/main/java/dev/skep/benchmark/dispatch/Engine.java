package dev.skep.benchmark.dispatch;

import dev.skep.dispatch.queue.redis.RedisConnection;
import dev.skep.dispatch.queue.redis.RedisJobQueue;
import dev.skep.dispatch.queue.sql.SqlJobQueue;
import dev.skep.store.DatabaseUrl;
import dev.skep.testkit.server.PostgresServer;
import dev.skep.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The three engines, durable as a hub has them, each with what it keeps in a folder. */
enum Engine {
    SQLITE("dispatch") {
        @Override
        BenchmarkHub open(Path folder) throws IOException {
            return new BenchmarkHub(file(folder), SqlJobQueue::new);
        }
    },
    REDIS("dispatch.redis") {
        @Override
        BenchmarkHub open(Path folder) throws IOException {
            RedisServer server = RedisServer.lasting(Files.createTempDirectory(folder, "redis"));
            RedisConnection redisConnection = RedisConnection.open(server.url());
            return new BenchmarkHub(
                    file(folder),
                    queueDependencies -> new RedisJobQueue(queueDependencies, redisConnection),
                    redisConnection::close,
                    server::close);
        }
    },
    POSTGRES("dispatch.postgres") {
        @Override
        BenchmarkHub open(Path folder) {
            DatabaseUrl.Postgres url = PostgresServer.newDurableDatabase();
            return new BenchmarkHub(url, SqlJobQueue::new, () -> PostgresServer.dropDurable(url));
        }
    };

    private final String figures;

    Engine(String figures) {
        this.figures = figures;
    }

    /** What the names of its figures begin with. */
    String figures() {
        return figures;
    }

    abstract BenchmarkHub open(Path folder) throws IOException;

    private static DatabaseUrl file(Path folder) throws IOException {
        return new DatabaseUrl.Sqlite(Files.createTempDirectory(folder, "hub").resolve("hub.db"));
    }
}
