package dev.skep.conformance.dispatch;

import static dev.skep.conformance.dispatch.QueueFixture.FOREIGN;
import static dev.skep.conformance.dispatch.QueueFixture.HOST;
import static dev.skep.conformance.dispatch.QueueFixture.OPERATOR;
import static dev.skep.conformance.dispatch.QueueFixture.SECOND;
import static dev.skep.conformance.dispatch.QueueFixture.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.RunOutcome;
import dev.skep.dispatch.queue.ActiveRun;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.CancelResult;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.dispatch.queue.JobQueue.Swept;
import dev.skep.dispatch.queue.LeaseRenewal;
import dev.skep.dispatch.queue.ReportResult;
import dev.skep.dispatch.queue.RetryResult;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobQueueTest extends EachEngine {
    @Test
    void a_job_is_claimed_with_all_it_needs_and_ends_with_its_result() {
        CreatedJob created =
                queue.create(job().withTimeout(Duration.ofSeconds(90)).withPriority(3));
        assertThat(queue.status(created)).isEqualTo("pending");

        Assignment run = queue.claimed(HOST);
        assertThat(run.job()).isEqualTo(created.job());
        assertThat(run.run()).isEqualTo(created.run());
        assertThat(run.type()).isEqualTo("shell");
        assertThat(run.payload()).isEqualTo("{\"command\":\"true\"}");
        assertThat(run.timeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(run.attempt()).isEqualTo(1);
        assertThat(queue.status(created)).isEqualTo("running");

        assertThat(queue.settle(HOST, run, RunOutcome.SUCCEEDED)).isEqualTo(ReportResult.APPLIED);
        assertThat(queue.status(created)).isEqualTo("succeeded");
        assertThat(queue.received)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("JobCreated", "JobRunStarted", "JobRunDone");
        assertThat(queue.audited).containsExactly("job_created");
    }

    @Test
    void a_host_gets_only_its_own_jobs_of_its_own_org() {
        queue.create();

        assertThat(queue.queue().claim(SECOND)).isEqualTo(new ClaimResult.NothingPending());
        assertThat(queue.queue().claim(FOREIGN)).isEqualTo(new ClaimResult.NothingPending());
        Principal.Host impostor = new Principal.Host(new OrgId("nowhere"), HOST.id());
        assertThat(queue.queue().claim(impostor)).isEqualTo(new ClaimResult.NothingPending());
        assertThat(queue.queue().claim(new Principal.Host(HOST.org(), new HostId("nobody"))))
                .isEqualTo(new ClaimResult.NothingPending());
        assertThat(queue.queue().claim(HOST)).isInstanceOf(ClaimResult.Claimed.class);
    }

    @Test
    void higher_priority_goes_first_and_then_the_older_job() {
        queue.limit(HOST, new HostLimits(10, null));
        CreatedJob first = queue.create();
        CreatedJob low = queue.create(job().withPriority(-5));
        CreatedJob second = queue.create();
        CreatedJob urgent = queue.create(job().withPriority(7));

        List<JobId> order = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            order.add(queue.claimed(HOST).job());
        }
        assertThat(order).containsExactly(urgent.job(), first.job(), second.job(), low.job());
    }

    @Test
    void the_same_idempotency_key_is_the_same_job() {
        CreatedJob first = queue.create(job().withKey("once"));
        List<CreatedJob> again =
                queue.queue()
                        .create(
                                OPERATOR,
                                List.of(
                                        job().withKey("once"),
                                        job().withKey("twice"),
                                        job().withKey("twice")));

        assertThat(first.isNew()).isTrue();
        assertThat(again.getFirst()).isEqualTo(new CreatedJob(first.job(), first.run(), false));
        assertThat(again.get(1).isNew()).isTrue();
        assertThat(again.get(2).job()).isEqualTo(again.get(1).job());
        assertThat(again.get(2).isNew()).isFalse();
        Actor foreign = Actor.local(FOREIGN.org());
        NewJob theirs = NewJob.plain(FOREIGN.id(), "shell", "{}").withKey("once");
        assertThat(queue.queue().create(foreign, List.of(theirs)).getFirst().isNew()).isTrue();
    }

    @Test
    void a_host_at_its_cap_waits_until_a_run_finishes() {
        queue.limit(HOST, new HostLimits(2, null));
        for (int i = 0; i < 3; i++) {
            queue.create();
        }
        Assignment first = queue.claimed(HOST);
        queue.claimed(HOST);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());

        queue.settle(HOST, first, RunOutcome.SUCCEEDED);
        assertThat(queue.queue().claim(HOST)).isInstanceOf(ClaimResult.Claimed.class);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());
    }

    @Test
    void a_limit_that_is_changed_holds_from_the_next_claim() {
        queue.limit(HOST, new HostLimits(2, null));
        queue.create();
        queue.create();
        queue.create();
        queue.claimed(HOST);

        queue.limit(HOST, new HostLimits(1, null));
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());

        queue.limit(HOST, new HostLimits(3, null));
        queue.claimed(HOST);
        queue.claimed(HOST);
    }

    @Test
    void jobs_per_minute_are_counted_by_the_minute_of_the_clock() {
        queue.limit(HOST, new HostLimits(10, 2));
        for (int i = 0; i < 3; i++) {
            queue.create();
        }
        queue.settle(HOST, queue.claimed(HOST), RunOutcome.SUCCEEDED);
        queue.settle(HOST, queue.claimed(HOST), RunOutcome.SUCCEEDED);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.RateLimited());

        queue.time.advance(Duration.ofSeconds(60));
        assertThat(queue.queue().claim(HOST)).isInstanceOf(ClaimResult.Claimed.class);
    }

    @Test
    void a_delayed_job_waits_for_its_time_and_does_not_hold_others_up() {
        CreatedJob later =
                queue.create(
                        job().withPriority(9).notBefore(queue.time.instant().plusSeconds(100)));
        CreatedJob now = queue.create();

        Assignment run = queue.claimed(HOST);
        assertThat(run.job()).isEqualTo(now.job());
        queue.settle(HOST, run, RunOutcome.SUCCEEDED);
        queue.queue().sweep();
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.NothingPending());

        queue.time.advance(Duration.ofSeconds(100));
        assertThat(queue.queue().sweep()).isEqualTo(new Swept(1, 0, 0));
        assertThat(queue.claimed(HOST).job()).isEqualTo(later.job());
    }

    @Test
    void a_waiting_job_is_cancelled_at_once() {
        CreatedJob created = queue.create();

        assertThat(queue.queue().cancel(OPERATOR, created.job())).isEqualTo(CancelResult.CANCELLED);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.NothingPending());
        assertThat(queue.status(created)).isEqualTo("cancelled");
        assertThat(queue.queue().cancel(OPERATOR, created.job())).isEqualTo(CancelResult.OVER);
    }

    @Test
    void a_running_job_is_asked_to_stop_with_its_next_renewal() {
        CreatedJob created = queue.create(job().withMaxAttempts(5));
        Assignment run = queue.claimed(HOST);

        assertThat(queue.queue().cancel(OPERATOR, created.job())).isEqualTo(CancelResult.ASKED);
        assertThat(queue.queue().renew(HOST, List.of(new ActiveRun(run.run(), 1))))
                .containsExactly(LeaseRenewal.CANCEL);
        assertThat(queue.settle(HOST, run, RunOutcome.CANCELLED)).isEqualTo(ReportResult.APPLIED);
        assertThat(queue.status(created)).isEqualTo("cancelled");
    }

    @Test
    void a_cancelled_run_whose_host_is_lost_is_not_followed() {
        CreatedJob created = queue.create();
        queue.claimed(HOST);
        queue.queue().cancel(OPERATOR, created.job());
        queue.time.advance(LEASE.plusSeconds(1));
        queue.queue().sweep();

        assertThat(queue.status(created)).isEqualTo("cancelled");
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.NothingPending());
    }

    @Test
    void nobody_cancels_or_retries_another_orgs_job() {
        CreatedJob created = queue.create();
        Actor foreign = Actor.local(FOREIGN.org());

        assertThat(queue.queue().cancel(foreign, created.job())).isEqualTo(CancelResult.UNKNOWN);
        assertThat(queue.queue().retry(foreign, created.job()))
                .isEqualTo(new RetryResult.Unknown());
        assertThat(queue.queue().retry(OPERATOR, new JobId("nonsense")))
                .isEqualTo(new RetryResult.Unknown());
    }

    @Test
    void a_job_that_is_over_can_be_run_once_more() {
        CreatedJob created = queue.create();
        assertThat(queue.queue().retry(OPERATOR, created.job()))
                .isEqualTo(new RetryResult.StillActive());
        queue.settle(HOST, queue.claimed(HOST), RunOutcome.FAILED);

        assertThat(queue.queue().retry(OPERATOR, created.job()))
                .isInstanceOf(RetryResult.Retried.class);
        Assignment again = queue.claimed(HOST);
        assertThat(again.job()).isEqualTo(created.job());
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(queue.audited).containsExactly("job_created", "job_retried");
    }

    @Test
    void a_waiting_claimer_is_notified_of_new_work_and_of_a_free_slot() {
        List<HostId> told = new ArrayList<>();
        queue.queue().onWork(told::add);
        queue.create();
        assertThat(told).contains(HOST.id());

        Assignment run = queue.claimed(HOST);
        told.clear();
        queue.settle(HOST, run, RunOutcome.SUCCEEDED);
        assertThat(told).contains(HOST.id());
    }

    @Test
    void a_hub_that_restarts_continues_where_it_was() {
        queue.limit(HOST, new HostLimits(1, null));
        queue.create();
        CreatedJob second = queue.create();
        Assignment run = queue.claimed(HOST);
        queue.restart();

        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());
        assertThat(queue.settle(HOST, run, RunOutcome.SUCCEEDED)).isEqualTo(ReportResult.APPLIED);
        assertThat(queue.claimed(HOST).job()).isEqualTo(second.job());
    }
}
