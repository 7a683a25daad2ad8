package dev.skep.conformance.dispatch;

import static dev.skep.conformance.dispatch.QueueFixture.HOST;
import static dev.skep.conformance.dispatch.QueueFixture.OPERATOR;
import static dev.skep.conformance.dispatch.QueueFixture.SECOND;
import static dev.skep.conformance.dispatch.QueueFixture.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunOutcome;
import dev.skep.dispatch.job.ServerId;
import dev.skep.dispatch.queue.ActiveRun;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.dispatch.queue.LeaseRenewal;
import dev.skep.dispatch.queue.ReportResult;
import dev.skep.dispatch.queue.RunReport;
import dev.skep.dispatch.queue.TurnResult;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.testkit.server.RedisServer;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a crash between Redis and SQL leaves behind, and that it is repaired. */
class RedisAndLedgerApartTest {
    @TempDir Path folder;
    private RedisServer server;
    private QueueFixture queue;
    private RedisClient client;
    private StatefulRedisConnection<String, String> connection;
    private RedisCommands<String, String> redis;

    @BeforeEach
    void open() {
        server = RedisServer.forgetful(folder);
        queue =
                new QueueFixture(
                        QueueEngine.REDIS,
                        QueueEngine.REDIS.database().create(folder),
                        Optional.empty(),
                        Optional.of(server));
        client = RedisClient.create(server.url());
        connection = client.connect();
        redis = connection.sync();
    }

    @AfterEach
    void close() {
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        queue.close();
    }

    @Test
    void the_keys_are_those_of_the_seed() {
        queue.limit(HOST, new HostLimits(1, 5));
        NewJob ofServer = NewJob.plain(HOST.id(), "server.start", "{}").of(new ServerId("web"));
        queue.create(job());
        CreatedJob waiting = queue.create(ofServer);
        queue.claimed(HOST);

        long minute = queue.time.instant().getEpochSecond() / 60;
        assertThat(redis.keys("*"))
                .containsExactlyInAnyOrder(
                        "jobs:default",
                        "jobs:default:host-a",
                        "jobs:taken",
                        "jobs:generation",
                        "host:host-a:running",
                        "host:host-a:jobs_minute:" + minute);
        assertThat(redis.ttl("host:host-a:jobs_minute:" + minute)).isBetween(1L, 120L);
        JsonFields entry = Json.fields(redis.hget("jobs:default", waiting.run().value()));
        assertThat(entry.text("jobId")).isEqualTo(waiting.job().value());
        assertThat(entry.text("jobRunId")).isEqualTo(waiting.run().value());
        assertThat(entry.text("hostId")).isEqualTo("host-a");
        assertThat(entry.text("serverInstanceId")).isEqualTo("web");
        assertThat(entry.text("type")).isEqualTo("server.start");
        assertThat(entry.text("payload")).isEqualTo("{}");
    }

    @Test
    void a_redis_that_comes_back_empty_is_filled_again_and_limits_hold() {
        CreatedJob running = queue.create(job());
        CreatedJob waiting = queue.create(job().withPriority(1));
        queue.create(NewJob.plain(SECOND.id(), "shell", "{}"));
        Assignment first = queue.claimed(HOST);
        assertThat(first.job()).isEqualTo(waiting.job());
        redis.flushall();

        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());
        assertThat(queue.queue().renew(HOST, List.of(new ActiveRun(first.run(), 1))))
                .containsExactly(LeaseRenewal.RENEWED);
        assertThat(queue.settle(HOST, first, RunOutcome.SUCCEEDED)).isEqualTo(ReportResult.APPLIED);
        assertThat(queue.claimed(HOST).job()).isEqualTo(running.job());
        assertThat(queue.queue().claim(SECOND)).isInstanceOf(ClaimResult.Claimed.class);
    }

    @Test
    void a_job_whose_hub_died_before_redis_knew_it_is_found_at_the_next_start() {
        CreatedJob created = queue.create(job());
        redis.del("jobs:default", "jobs:default:host-a");
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.NothingPending());

        queue.restart();
        assertThat(queue.claimed(HOST).job()).isEqualTo(created.job());
    }

    @Test
    void a_run_taken_but_never_recorded_goes_back_to_the_queue() {
        CreatedJob created = queue.create(job());
        takeAndDie(created);
        redis.sadd("host:host-a:running", created.run().value());
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());
        queue.queue().sweep();
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());

        queue.time.advance(Duration.ofSeconds(31));
        queue.queue().sweep();
        Assignment again = queue.claimed(HOST);
        assertThat(again.job()).isEqualTo(created.job());
        assertThat(again.attempt()).isEqualTo(1);
    }

    @Test
    void so_does_one_that_steers_and_holds_no_slot() {
        CreatedJob created = queue.create(NewJob.plain(HOST.id(), "agent.stop", "{}"));
        takeAndDie(created);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.NothingPending());

        queue.time.advance(Duration.ofSeconds(31));
        queue.queue().sweep();
        assertThat(queue.claimed(HOST).job()).isEqualTo(created.job());
    }

    /** As if the hub had died between the script and the commit. */
    private void takeAndDie(CreatedJob created) {
        redis.zpopmin("jobs:default:host-a");
        redis.hdel("jobs:default", created.run().value());
        noteTaken(created.run());
    }

    private void noteTaken(RunId run) {
        long until = queue.time.instant().plusSeconds(30).toEpochMilli();
        redis.hset("jobs:taken", "another-hubs-group", until + " " + run);
    }

    @Test
    void what_was_recorded_keeps_its_slot_though_its_note_was_left() {
        queue.create(job());
        Assignment run = queue.claimed(HOST);
        noteTaken(run.run());
        queue.create(job());

        queue.time.advance(Duration.ofSeconds(20));
        queue.queue().renew(HOST, List.of(new ActiveRun(run.run(), 1)));
        queue.time.advance(Duration.ofSeconds(11));
        queue.queue().sweep();
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());
        assertThat(redis.hexists("jobs:taken", "another-hubs-group")).isFalse();
        assertThat(queue.settle(HOST, run, RunOutcome.SUCCEEDED)).isEqualTo(ReportResult.APPLIED);
    }

    @Test
    void a_run_recorded_as_over_but_left_in_redis_frees_its_slot_after_the_length_of_a_lease() {
        queue.create(job());
        Assignment run = queue.claimed(HOST);
        queue.settle(HOST, run, RunOutcome.SUCCEEDED);
        awaitRedis();
        redis.sadd("host:host-a:running", run.run().value());
        queue.create(job());
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());

        queue.time.advance(Duration.ofSeconds(31));
        queue.queue().sweep();
        assertThat(queue.queue().claim(HOST)).isInstanceOf(ClaimResult.Claimed.class);
    }

    @Test
    void a_stale_entry_is_refused_by_the_ledger() {
        CreatedJob created = queue.create(job());
        String data = redis.hget("jobs:default", created.run().value());
        queue.queue().cancel(OPERATOR, created.job());
        redis.hset("jobs:default", created.run().value(), data);
        redis.zadd("jobs:default:host-a", 0, created.run().value());

        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.NothingPending());
        awaitRedis();
        assertThat(redis.scard("host:host-a:running")).isZero();
    }

    @Test
    void a_run_that_is_taken_twice_runs_once_and_keeps_its_slot() {
        CreatedJob created = queue.create(job());
        String data = redis.hget("jobs:default", created.run().value());
        queue.limit(HOST, new HostLimits(2, null));
        Assignment run = queue.claimed(HOST);
        redis.hset("jobs:default", created.run().value(), data);
        redis.zadd("jobs:default:host-a", 0, created.run().value());

        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.NothingPending());
        awaitRedis();
        assertThat(redis.smembers("host:host-a:running")).containsExactly(run.run().value());
    }

    @Test
    void a_delayed_job_that_is_due_while_redis_takes_nothing_runs_once_it_does() {
        CreatedJob delayed =
                queue.create(job().notBefore(queue.time.instant().plus(Duration.ofMinutes(1))));
        redis.configSet("maxmemory", "1");
        queue.time.advance(Duration.ofSeconds(61));
        assertThat(queue.queue().sweep().woken()).isEqualTo(1);
        assertThat(redis.exists("jobs:default:host-a")).isZero();

        redis.configSet("maxmemory", "0");
        queue.queue().sweep();
        assertThat(queue.claimed(HOST).job()).isEqualTo(delayed.job());
        assertThat(queue.queue().claim(SECOND)).isEqualTo(new ClaimResult.NothingPending());
    }

    @Test
    void a_commit_that_takes_longer_than_a_lease_hands_out_nothing_and_nothing_runs_twice() {
        queue.create(job());
        CreatedJob next = queue.create(job());
        Assignment first = queue.claimed(HOST);
        // Redis answers only once the ledger has begun to record what is over.
        client("PAUSE", "60000", "WRITE");
        queue.whileEnding =
                () -> {
                    queue.time.advance(Duration.ofSeconds(31));
                    client("UNPAUSE");
                };
        TurnResult slow = queue.queue().settleAndClaim(HOST, succeeded(first));
        queue.whileEnding = () -> {};
        assertThat(slow)
                .isEqualTo(new TurnResult(ReportResult.APPLIED, new ClaimResult.NothingPending()));
        assertThat(queue.status(next)).isEqualTo("pending");

        queue.queue().sweep();
        Assignment run = queue.claimed(HOST);
        assertThat(run.run()).isEqualTo(next.run());
        assertThat(queue.queue().settle(HOST, succeeded(run))).isEqualTo(ReportResult.APPLIED);
        assertThat(queue.queue().settle(HOST, succeeded(run))).isEqualTo(ReportResult.REPEATED);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.NothingPending());
    }

    private void client(String... words) {
        CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
        List.of(words).forEach(arguments::add);
        redis.dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.UTF8), arguments);
    }

    @Test
    void reports_are_recorded_once_though_redis_has_lost_all_and_others_only_ask()
            throws Exception {
        queue.limit(HOST, new HostLimits(20, null));
        List<CreatedJob> created = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            created.add(queue.create(job()));
        }
        List<Assignment> running = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            running.add(queue.claimed(HOST));
        }
        redis.flushall();

        List<Future<ClaimResult>> next = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Assignment run : running) {
                next.add(
                        callers.submit(
                                () -> queue.queue().settleAndClaim(HOST, succeeded(run)).next()));
                next.add(callers.submit(() -> queue.queue().claim(HOST)));
            }
        }
        for (int i = 0; i < 20; i++) {
            assertThat(queue.status(created.get(i))).isEqualTo("succeeded");
        }
        Set<RunId> begun = new HashSet<>();
        for (Future<ClaimResult> each : next) {
            if (each.get() instanceof ClaimResult.Claimed(Assignment run)) {
                assertThat(begun.add(run.run())).isTrue();
            }
        }
        while (queue.queue().claim(HOST) instanceof ClaimResult.Claimed(Assignment run)) {
            assertThat(begun.add(run.run())).isTrue();
        }
        assertThat(begun).hasSize(20);
        assertThat(redis.scard("host:host-a:running")).isEqualTo(20);
    }

    private static RunReport succeeded(Assignment run) {
        return new RunReport(run.run(), run.attempt(), RunOutcome.SUCCEEDED, null);
    }

    @Test
    void what_waits_and_what_runs_is_known_to_whichever_engine_the_hub_comes_back_with() {
        CreatedJob first = queue.create(job());
        CreatedJob delayed =
                queue.create(job().notBefore(queue.time.instant().plus(Duration.ofMinutes(1))));
        queue.restart(QueueEngine.SQLITE);
        queue.time.advance(Duration.ofSeconds(1));
        Assignment run = queue.claimed(HOST);
        assertThat(run.job()).isEqualTo(first.job());
        CreatedJob second = queue.create(job().withPriority(1));

        queue.restart(QueueEngine.REDIS);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());
        queue.settle(HOST, run, RunOutcome.SUCCEEDED);
        queue.time.advance(Duration.ofMinutes(2));
        queue.queue().sweep();
        run = queue.claimed(HOST);
        assertThat(run.job()).isEqualTo(second.job());
        queue.settle(HOST, run, RunOutcome.SUCCEEDED);

        queue.restart(QueueEngine.SQLITE);
        assertThat(queue.claimed(HOST).job()).isEqualTo(delayed.job());
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());
    }

    /** What the queue sent without waiting is there before what it sends next. */
    private void awaitRedis() {
        queue.queue().sweep();
    }

    @Test
    void a_job_created_while_redis_is_down_is_kept_and_runs_when_it_is_back() {
        queue.create(job());
        server.kill();
        assertThatThrownBy(() -> queue.queue().claim(HOST))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_UNREACHABLE));
        CreatedJob second = queue.create(job().withPriority(5));
        assertThat(second.isNew()).isTrue();

        server.startAgain();
        queue.restart();
        assertThat(queue.claimed(HOST).job()).isEqualTo(second.job());
    }
}
