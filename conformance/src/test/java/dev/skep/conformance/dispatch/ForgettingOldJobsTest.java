package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.assembly.FinishedJobs;
import dev.skep.dispatch.job.RunOutcome;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.store.clock.RetentionClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ForgettingOldJobsTest {
    private static final Duration KEPT = Duration.ofDays(90);

    @ParameterizedTest
    @EnumSource(
            value = QueueEngine.class,
            names = {"SQLITE", "POSTGRES"})
    void old_jobs_that_ended_go_with_their_output_and_others_stay(QueueEngine engine) {
        try (var queue = new QueueFixture(engine)) {
            for (int i = 0; i < 25; i++) {
                queue.create();
                Assignment run = queue.claimed(QueueFixture.HOST);
                print(queue, run);
                queue.settle(QueueFixture.HOST, run, RunOutcome.SUCCEEDED);
            }
            CreatedJob running = queue.create();
            queue.claimed(QueueFixture.HOST);
            CreatedJob waiting = queue.create();
            pass(queue, Duration.ofDays(100));
            queue.create(QueueFixture.job());

            int gone = new FinishedJobs(queue.database).forgetJobs(KEPT);

            assertThat(gone).isEqualTo(25);
            assertThat(count(queue, "jobs")).isEqualTo(3);
            assertThat(count(queue, "job_runs")).isEqualTo(3);
            assertThat(count(queue, "job_output")).isZero();
            assertThat(queue.status(running)).isEqualTo("running");
            assertThat(queue.status(waiting)).isEqualTo("pending");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = QueueEngine.class,
            names = {"SQLITE", "POSTGRES"})
    void a_job_of_a_clock_that_was_wrong_stays_as_long_as_any_other(QueueEngine engine) {
        try (var queue = new QueueFixture(engine)) {
            for (Duration wrong : List.of(Duration.ofDays(-400), Duration.ofDays(400))) {
                queue.wallStep = wrong;
                queue.create();
                queue.settle(
                        QueueFixture.HOST, queue.claimed(QueueFixture.HOST), RunOutcome.SUCCEEDED);
                queue.wallStep = Duration.ZERO;
            }
            FinishedJobs finishedJobs = new FinishedJobs(queue.database);

            pass(queue, Duration.ofDays(89));
            assertThat(finishedJobs.forgetJobs(KEPT)).isZero();
            pass(queue, Duration.ofDays(2));
            assertThat(finishedJobs.forgetJobs(KEPT)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = QueueEngine.class,
            names = {"SQLITE", "POSTGRES"})
    void a_job_ages_from_its_end_and_not_from_when_it_was_asked_for(QueueEngine engine) {
        try (var queue = new QueueFixture(engine)) {
            queue.create();
            pass(queue, Duration.ofDays(100));
            queue.settle(QueueFixture.HOST, queue.claimed(QueueFixture.HOST), RunOutcome.FAILED);

            assertThat(new FinishedJobs(queue.database).forgetJobs(KEPT)).isZero();
        }
    }

    /** Time by the machine's own counter, which no setting of the clock moves. */
    private static void pass(QueueFixture queue, Duration time) {
        AtomicLong nanos = new AtomicLong();
        RetentionClock ages = RetentionClock.open(queue.database, queue.time, nanos::get);
        nanos.set(time.toNanos());
        assertThat(ages.keep()).isGreaterThanOrEqualTo(time.toMillis());
    }

    private static void print(QueueFixture queue, Assignment run) {
        queue.database.write(
                tx ->
                        tx.update(
                                "INSERT INTO job_output (run_id, n, stream, text) VALUES (?, 0, 'out', 'x')",
                                run.run().value()));
    }

    private static long count(QueueFixture queue, String table) {
        return queue.database.read(
                db -> db.first("SELECT count(*) FROM " + table, r -> r.number(1)).orElseThrow());
    }
}
