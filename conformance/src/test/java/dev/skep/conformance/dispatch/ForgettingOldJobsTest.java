package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.assembly.FinishedWork;
import dev.skep.dispatch.job.Outcome;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.Creation;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ForgettingOldJobsTest {
    @ParameterizedTest
    @EnumSource(
            value = Engine.class,
            names = {"SQLITE", "POSTGRES"})
    void old_jobs_that_ended_go_with_their_output_and_others_stay(Engine engine) {
        try (var queue = new QueueFixture(engine)) {
            for (int i = 0; i < 25; i++) {
                queue.create();
                Assignment run = queue.claimed(QueueFixture.HOST);
                print(queue, run);
                queue.settle(QueueFixture.HOST, run, Outcome.SUCCEEDED);
            }
            Creation running = queue.create();
            queue.claimed(QueueFixture.HOST);
            Creation waiting = queue.create();
            Instant then = queue.time.instant();
            queue.time.advance(Duration.ofDays(100));
            queue.create(QueueFixture.job());

            int gone = new FinishedWork(queue.database).forgetJobs(then.plusSeconds(1));

            assertThat(gone).isEqualTo(25);
            assertThat(count(queue, "jobs")).isEqualTo(3);
            assertThat(count(queue, "job_runs")).isEqualTo(3);
            assertThat(count(queue, "job_output")).isZero();
            assertThat(queue.status(running)).isEqualTo("running");
            assertThat(queue.status(waiting)).isEqualTo("pending");
        }
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
