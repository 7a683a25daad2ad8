package dev.skep.conformance.dispatch;

import static dev.skep.conformance.dispatch.QueueFixture.FOREIGN;
import static dev.skep.conformance.dispatch.QueueFixture.HOST;
import static dev.skep.conformance.dispatch.QueueFixture.SECOND;
import static dev.skep.conformance.dispatch.QueueFixture.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.RunOutcome;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.queue.ActiveRun;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.dispatch.queue.JobQueue.Swept;
import dev.skep.dispatch.queue.LeaseRenewal;
import dev.skep.dispatch.queue.ReportResult;
import dev.skep.dispatch.queue.RunReport;
import dev.skep.dispatch.setting.OrgSettings;
import dev.skep.dispatch.setting.OrgSettingsStore;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.identity.Principal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs that were lost, came back late or have to be tried again. */
class LeasesAndAttemptsTest extends EachEngine {
    @Test
    void a_renewed_lease_lasts_and_an_unrenewed_one_is_lost_and_followed() {
        CreatedJob created = queue.create();
        Assignment first = queue.claimed(HOST);
        ActiveRun held = new ActiveRun(first.run(), 1);

        queue.time.advance(LEASE.minusSeconds(1));
        assertThat(queue.queue().renew(HOST, List.of(held))).containsExactly(LeaseRenewal.RENEWED);
        queue.time.advance(LEASE.minusSeconds(1));
        assertThat(queue.queue().sweep()).isEqualTo(new Swept(0, 0, 0));
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());

        queue.time.advance(Duration.ofSeconds(2));
        assertThat(queue.queue().sweep()).isEqualTo(new Swept(0, 1, 0));
        assertThat(queue.queue().renew(HOST, List.of(held))).containsExactly(LeaseRenewal.GONE);
        Assignment second = queue.claimed(HOST);
        assertThat(second.job()).isEqualTo(created.job());
        assertThat(second.run()).isNotEqualTo(first.run());
        assertThat(second.attempt()).isEqualTo(2);
    }

    @Test
    void an_org_decides_itself_how_long_a_lease_is_for_claims_and_renewals() {
        lease(LEASE.multipliedBy(3));
        queue.create();
        ActiveRun held = new ActiveRun(queue.claimed(HOST).run(), 1);
        queue.time.advance(LEASE.multipliedBy(2));
        assertThat(queue.queue().sweep()).isEqualTo(new Swept(0, 0, 0));
        assertThat(queue.queue().renew(HOST, List.of(held))).containsExactly(LeaseRenewal.RENEWED);
        queue.time.advance(LEASE.multipliedBy(2));
        assertThat(queue.queue().sweep()).isEqualTo(new Swept(0, 0, 0));
        queue.time.advance(LEASE.plusSeconds(1));
        assertThat(queue.queue().sweep()).isEqualTo(new Swept(0, 1, 0));
    }

    private void lease(Duration lease) {
        OrgSettings settings = new OrgSettings(null, lease.toSeconds(), null, null, null);
        queue.database.write(
                transaction -> {
                    OrgSettingsStore.set(transaction, HOST.org(), settings, queue.time.instant());
                    return true;
                });
    }

    @Test
    void a_wall_clock_that_is_set_ends_no_run_and_keeps_none() {
        queue.limit(HOST, new HostLimits(2, null));
        queue.create();
        Assignment first = queue.claimed(HOST);
        queue.wallStep = Duration.ofHours(2);
        assertThat(queue.queue().sweep()).isEqualTo(new Swept(0, 0, 0));
        assertThat(queue.queue().renew(HOST, List.of(new ActiveRun(first.run(), 1))))
                .containsExactly(LeaseRenewal.RENEWED);
        queue.wallStep = Duration.ofDays(-3);
        assertThat(queue.queue().sweep()).isEqualTo(new Swept(0, 0, 0));
        queue.create();
        queue.claimed(HOST);

        queue.time.advance(LEASE.plusSeconds(1));
        assertThat(queue.queue().sweep()).isEqualTo(new Swept(0, 2, 0));
    }

    @Test
    void a_wall_clock_that_is_set_back_makes_no_retry_wait_for_days() {
        queue.create(job().withMaxAttempts(2));
        queue.settle(HOST, queue.claimed(HOST), RunOutcome.FAILED);
        queue.wallStep = Duration.ofDays(-3);
        queue.queue().sweep();
        queue.time.advance(QueueFixture.BACKOFF.longest().plusSeconds(1));
        queue.queue().sweep();

        assertThat(queue.claimed(HOST).attempt()).isEqualTo(2);
    }

    @Test
    void a_hub_that_was_ahead_and_starts_with_the_right_time_makes_no_retry_wait_for_days() {
        queue.wallStep = Duration.ofDays(3);
        queue.create(job().withMaxAttempts(2));
        queue.settle(HOST, queue.claimed(HOST), RunOutcome.FAILED);
        queue.wallStep = Duration.ZERO;
        queue.restart();
        queue.queue().sweep();
        queue.time.advance(QueueFixture.BACKOFF.longest().plusSeconds(1));
        queue.queue().sweep();

        assertThat(queue.claimed(HOST).attempt()).isEqualTo(2);
    }

    @Test
    void retries_are_brought_forward_though_the_first_try_could_not_be_written() {
        queue.queue().sweep();
        queue.create(job().withMaxAttempts(2));
        queue.settle(HOST, queue.claimed(HOST), RunOutcome.FAILED);
        queue.wallStep = Duration.ofDays(-3);
        rename("job_runs", "elsewhere");
        assertThatThrownBy(() -> queue.queue().sweep()).isInstanceOf(SkepException.class);
        rename("elsewhere", "job_runs");
        queue.queue().sweep();
        queue.time.advance(QueueFixture.BACKOFF.longest().plusSeconds(1));
        queue.queue().sweep();

        assertThat(queue.claimed(HOST).attempt()).isEqualTo(2);
    }

    private void rename(String table, String name) {
        queue.database.write(tx -> tx.update("ALTER TABLE %s RENAME TO %s".formatted(table, name)));
    }

    @Test
    void a_hub_that_was_away_lets_hosts_renew_and_report_before_it_gives_runs_up() {
        CreatedJob created = queue.create();
        Assignment held = queue.claimed(HOST);
        queue.time.advance(Duration.ofHours(1));
        queue.restart();

        assertThat(queue.queue().sweep()).isEqualTo(new Swept(0, 0, 0));
        assertThat(queue.settle(HOST, held, RunOutcome.SUCCEEDED)).isEqualTo(ReportResult.APPLIED);
        assertThat(queue.status(created)).isEqualTo("succeeded");
    }

    @Test
    void a_late_result_is_kept_and_not_applied() {
        CreatedJob created = queue.create();
        Assignment first = queue.claimed(HOST);
        queue.time.advance(LEASE.plusSeconds(1));
        queue.queue().sweep();
        Assignment second = queue.claimed(HOST);

        assertThat(queue.settle(HOST, first, RunOutcome.FAILED)).isEqualTo(ReportResult.LATE);
        assertThat(queue.status(created)).isEqualTo("running");
        RunReport wrongAttempt = new RunReport(second.run(), 1, RunOutcome.FAILED, null);
        assertThat(queue.queue().settle(HOST, wrongAttempt)).isEqualTo(ReportResult.LATE);
        assertThat(queue.settle(HOST, second, RunOutcome.SUCCEEDED))
                .isEqualTo(ReportResult.APPLIED);
        assertThat(lateResult(first)).isEqualTo("{\"ok\":1}");
        assertThat(queue.status(created)).isEqualTo("succeeded");
    }

    @Test
    void a_success_that_comes_too_late_does_not_spoil_the_others() {
        queue.limit(HOST, new HostLimits(2, null));
        CreatedJob slow = queue.create();
        Assignment lost = queue.claimed(HOST);
        queue.time.advance(LEASE.plusSeconds(1));
        queue.create();
        Assignment other = queue.claimed(HOST);
        queue.queue().sweep();

        assertThat(queue.settle(HOST, lost, RunOutcome.SUCCEEDED)).isEqualTo(ReportResult.LATE);
        assertThat(queue.status(slow)).isEqualTo("pending");
        assertThat(queue.settle(HOST, other, RunOutcome.SUCCEEDED)).isEqualTo(ReportResult.APPLIED);
        assertThat(queue.claimed(HOST).attempt()).isEqualTo(2);
    }

    @Test
    void the_same_report_twice_is_applied_once() {
        queue.create();
        Assignment run = queue.claimed(HOST);

        assertThat(queue.settle(HOST, run, RunOutcome.SUCCEEDED)).isEqualTo(ReportResult.APPLIED);
        assertThat(queue.settle(HOST, run, RunOutcome.SUCCEEDED)).isEqualTo(ReportResult.REPEATED);
    }

    @Test
    void nobody_settles_or_renews_another_hosts_run() {
        queue.create();
        Assignment run = queue.claimed(HOST);

        for (Principal.Host other : List.of(SECOND, FOREIGN)) {
            assertThat(queue.settle(other, run, RunOutcome.FAILED)).isEqualTo(ReportResult.UNKNOWN);
            assertThat(queue.queue().renew(other, List.of(new ActiveRun(run.run(), 1))))
                    .containsExactly(LeaseRenewal.GONE);
        }
        assertThat(queue.settle(HOST, run, RunOutcome.SUCCEEDED)).isEqualTo(ReportResult.APPLIED);
    }

    @Test
    void a_job_that_loses_every_host_stops_at_its_own_cap() {
        CreatedJob poison = queue.create();
        for (int i = 0; i <= RunRules.LOSSES; i++) {
            assertThat(queue.claimed(HOST).attempt()).isEqualTo(i + 1);
            queue.time.advance(LEASE.plusSeconds(1));
            assertThat(queue.queue().sweep().lost()).isEqualTo(1);
        }
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.NothingPending());
        assertThat(queue.status(poison)).isEqualTo("lost");
    }

    @Test
    void a_failed_job_runs_again_after_a_pause_until_its_attempts_are_used() {
        CreatedJob flaky = queue.create(job().withMaxAttempts(2));
        queue.settle(HOST, queue.claimed(HOST), RunOutcome.FAILED);
        assertThat(queue.status(flaky)).isEqualTo("pending");

        queue.time.advance(QueueFixture.BACKOFF.bound(1));
        queue.queue().sweep();
        Assignment second = queue.claimed(HOST);
        assertThat(second.attempt()).isEqualTo(2);
        queue.settle(HOST, second, RunOutcome.FAILED);
        assertThat(queue.status(flaky)).isEqualTo("failed");
        assertThat(queue.received.getLast())
                .isInstanceOfSatisfying(
                        FleetEvent.JobRunDone.class,
                        done -> {
                            assertThat(done.jobOver()).isTrue();
                            assertThat(done.status()).isEqualTo("failed");
                        });
    }

    @Test
    void a_run_beyond_its_timeout_is_ended_by_the_hub_as_a_net() {
        CreatedJob slow = queue.create(job().withTimeout(Duration.ofSeconds(10)));
        Assignment run = queue.claimed(HOST);
        ActiveRun held = new ActiveRun(run.run(), 1);
        queue.time.advance(Duration.ofSeconds(12));
        queue.queue().renew(HOST, List.of(held));
        assertThat(queue.queue().sweep()).isEqualTo(new Swept(0, 0, 0));

        queue.time.advance(Duration.ofSeconds(14));
        assertThat(queue.queue().sweep()).isEqualTo(new Swept(0, 0, 1));
        assertThat(queue.status(slow)).isEqualTo("timed_out");
        assertThat(queue.queue().renew(HOST, List.of(held))).containsExactly(LeaseRenewal.GONE);
        queue.create();
        assertThat(queue.queue().claim(HOST)).isInstanceOf(ClaimResult.Claimed.class);
    }

    @Test
    void a_run_that_did_not_reach_its_host_is_followed_at_once() {
        queue.create();
        Assignment lost = queue.claimed(HOST);
        queue.queue().giveBack(SECOND, new ActiveRun(lost.run(), 1));
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());
        queue.queue().giveBack(HOST, new ActiveRun(lost.run(), 1));

        Assignment next = queue.claimed(HOST);
        assertThat(next.job()).isEqualTo(lost.job());
        assertThat(next.attempt()).isEqualTo(2);
        queue.queue().giveBack(HOST, new ActiveRun(lost.run(), 1));
        assertThat(queue.settle(HOST, lost, RunOutcome.SUCCEEDED)).isEqualTo(ReportResult.LATE);
        assertThat(queue.settle(HOST, next, RunOutcome.SUCCEEDED)).isEqualTo(ReportResult.APPLIED);
    }

    private String lateResult(Assignment run) {
        return queue.database.read(
                s ->
                        s.first(
                                        "SELECT late_result FROM job_runs WHERE id = ?",
                                        row -> row.text("late_result"),
                                        run.run().value())
                                .orElseThrow());
    }
}
