package dev.skep.conformance.dispatch;

import static dev.skep.conformance.dispatch.QueueFixture.HOST;
import static dev.skep.conformance.dispatch.QueueFixture.OPERATOR;
import static dev.skep.conformance.dispatch.QueueFixture.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.ClaimScope;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.dispatch.queue.JobLongPoll;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TwoHubsOnOneDatabaseTest {
    private static final Duration NEVER = Duration.ofDays(1);

    @Test
    void a_job_made_at_one_hub_wakes_who_waits_at_another_at_once() throws Exception {
        try (QueueFixture here = new QueueFixture(QueueEngine.POSTGRES)) {
            QueueEngine.Started there = here.secondHub();
            // It looks once when it comes and then only when it is told to.
            JobLongPoll jobLongPoll = new JobLongPoll(there.queue(), here.time, NEVER);
            FutureTask<ClaimResult> answer =
                    new FutureTask<>(() -> jobLongPoll.next(HOST, "", ClaimScope.ANYTHING, NEVER));
            awaitIdle(Thread.ofVirtual().start(answer));

            CreatedJob created = here.create();
            ClaimResult claim = answer.get(60, TimeUnit.SECONDS);
            assertThat(claim)
                    .isInstanceOfSatisfying(
                            ClaimResult.Claimed.class,
                            taken -> assertThat(taken.assignment().job()).isEqualTo(created.job()));
            jobLongPoll.close();
            there.close();
        }
    }

    @Test
    void an_urgent_job_made_at_one_hub_does_not_wait_for_what_another_works_through() {
        int backlog = 20_000;
        try (QueueFixture here = new QueueFixture(QueueEngine.POSTGRES)) {
            here.limit(HOST, new HostLimits(2 * backlog, null));
            here.queue().create(OPERATOR, Collections.nCopies(backlog, job()));
            here.claimed(HOST);
            QueueEngine.Started there = here.secondHub();
            here.time.advance(Duration.ofSeconds(1));
            CreatedJob urgent =
                    there.queue().create(OPERATOR, List.of(job().withPriority(1))).getFirst();

            int others = 0;
            while (!here.claimed(HOST).job().equals(urgent.job())) {
                others++;
            }
            assertThat(others).isLessThan(backlog - 1);
            there.close();
        }
    }

    /** Until it has looked and waits for a signal: only that wait has an end. */
    private static void awaitIdle(Thread thread) throws InterruptedException {
        boolean over = false;
        while (!over && thread.getState() != Thread.State.TIMED_WAITING) {
            over = thread.join(Duration.ofMillis(2));
        }
    }
}
