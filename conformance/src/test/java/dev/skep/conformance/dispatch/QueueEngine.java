package dev.skep.conformance.dispatch;

import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.ledger.QueueDependencies;
import dev.skep.dispatch.queue.redis.RedisConnection;
import dev.skep.dispatch.queue.redis.RedisJobQueue;
import dev.skep.dispatch.queue.sql.SqlJobQueue;
import dev.skep.testkit.server.RedisServer;
import dev.skep.testkit.server.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The engines that must behave the same. */
enum QueueEngine {
    SQLITE(TestDatabase.SQLITE),
    POSTGRES(TestDatabase.POSTGRES),
    REDIS(TestDatabase.SQLITE) {
        @Override
        void clean() {
            SharedServers.emptyRedis();
        }

        @Override
        Started start(QueueDependencies queueDependencies, Optional<RedisServer> own) {
            RedisConnection redisConnection =
                    RedisConnection.open(own.orElseGet(SharedServers::redis).url());
            JobQueue queue = new RedisJobQueue(queueDependencies, redisConnection);
            queue.start();
            return new Started(queue, List.of(queue, redisConnection));
        }
    };

    private final TestDatabase database;

    QueueEngine(TestDatabase database) {
        this.database = database;
    }

    TestDatabase database() {
        return database;
    }

    /** A running queue, and what to close, in order. */
    record Started(JobQueue queue, List<AutoCloseable> parts) {
        Started {
            parts = new ArrayList<>(parts);
        }

        void close() {
            for (AutoCloseable part : parts) {
                try {
                    part.close();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** Makes what tests share as good as new. */
    void clean() {}

    /** Starts a queue, in a Redis of its own if it is given one. */
    Started start(QueueDependencies queueDependencies, Optional<RedisServer> own) {
        JobQueue queue = new SqlJobQueue(queueDependencies);
        queue.start();
        return new Started(queue, List.of(queue));
    }
}
