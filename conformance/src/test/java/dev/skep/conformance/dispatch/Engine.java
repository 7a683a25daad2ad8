package dev.skep.conformance.dispatch;

import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.ledger.QueueParts;
import dev.skep.dispatch.queue.redis.RedisJobQueue;
import dev.skep.dispatch.queue.redis.RedisLink;
import dev.skep.dispatch.queue.sql.SqlJobQueue;
import dev.skep.testkit.RedisServer;
import dev.skep.testkit.TestDatabase;

import io.lettuce.core.RedisClient;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The engines that must behave the same. */
enum Engine {
    SQLITE(TestDatabase.SQLITE),
    POSTGRES(TestDatabase.POSTGRES),
    REDIS(TestDatabase.SQLITE) {
        @Override
        void clean() {
            RedisClient client = RedisClient.create(SharedRedis.SERVER.url());
            client.connect().sync().flushall();
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }

        @Override
        Started start(QueueParts parts, Optional<RedisServer> own) {
            RedisLink link = RedisLink.open(own.orElse(SharedRedis.SERVER).url());
            JobQueue queue = new RedisJobQueue(parts, link);
            queue.start();
            return new Started(queue, List.of(queue, link));
        }
    };

    private final TestDatabase database;

    Engine(TestDatabase database) {
        this.database = database;
    }

    TestDatabase database() {
        return database;
    }

    /** One server for all tests of a process: starting one takes longer than most of them. */
    private static final class SharedRedis {
        static final RedisServer SERVER = start();

        private static RedisServer start() {
            try {
                RedisServer server =
                        RedisServer.forgetful(Files.createTempDirectory("shared-redis"));
                Runtime.getRuntime().addShutdownHook(new Thread(server::close));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
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
    Started start(QueueParts parts, Optional<RedisServer> own) {
        JobQueue queue = new SqlJobQueue(parts);
        queue.start();
        return new Started(queue, List.of(queue));
    }
}
