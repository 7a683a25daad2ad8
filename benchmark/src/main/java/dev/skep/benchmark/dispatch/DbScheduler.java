package dev.skep.benchmark.dispatch;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.skep.store.DatabaseUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** db-scheduler with its fastest polling, on the same PostgreSQL. */
final class DbScheduler {
    private static final int THREADS = 64;
    private static final int BATCH = 1_000;

    private DbScheduler() {}

    /** Completed executions per second, after others that are not counted. */
    static double jobsPerSecond(DatabaseUrl.Postgres url, Size size) throws Exception {
        int all = size.warm() + size.jobs();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(
                "jdbc:postgresql://%s:%d/%s".formatted(url.host(), url.port(), url.database()));
        config.setUsername(url.user());
        config.setPassword(url.password());
        config.setMaximumPoolSize(20);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            createTable(pool);
            AtomicInteger done = new AtomicInteger();
            AtomicLong from = new AtomicLong();
            CountDownLatch left = new CountDownLatch(all);
            OneTimeTask<Void> task =
                    Tasks.oneTime("job")
                            .execute(
                                    (instance, context) -> {
                                        if (done.incrementAndGet() == size.warm()) {
                                            from.set(System.nanoTime());
                                        }
                                        left.countDown();
                                    });
            Scheduler scheduler =
                    Scheduler.create(pool, task)
                            .threads(THREADS)
                            .pollUsingLockAndFetch(1.0, 4.0)
                            .pollingInterval(Duration.ofMillis(50))
                            .build();
            schedule(scheduler, task, all);
            scheduler.start();
            left.await();
            double rate = size.jobs() * 1e9 / (System.nanoTime() - from.get());
            scheduler.stop();
            return rate;
        }
    }

    private static void schedule(Scheduler scheduler, OneTimeTask<Void> task, int jobs) {
        Instant due = Instant.EPOCH;
        for (int made = 0; made < jobs; made += BATCH) {
            List<TaskInstance<?>> batch = new ArrayList<>();
            for (int i = made; i < Math.min(jobs, made + BATCH); i++) {
                batch.add(task.instance("job-" + i));
            }
            scheduler.scheduleBatch(batch, due);
        }
    }

    private static void createTable(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    """
                    CREATE TABLE scheduled_tasks (
                        task_name TEXT NOT NULL,
                        task_instance TEXT NOT NULL,
                        task_data BYTEA,
                        execution_time TIMESTAMP WITH TIME ZONE NOT NULL,
                        picked BOOLEAN NOT NULL,
                        picked_by TEXT,
                        last_success TIMESTAMP WITH TIME ZONE,
                        last_failure TIMESTAMP WITH TIME ZONE,
                        consecutive_failures INT,
                        last_heartbeat TIMESTAMP WITH TIME ZONE,
                        version BIGINT NOT NULL,
                        priority SMALLINT,
                        PRIMARY KEY (task_name, task_instance))""");
            statement.execute(
                    "CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)");
            statement.execute(
                    "CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
        }
    }
}
