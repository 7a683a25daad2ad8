package dev.skep.dispatch.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.retry.Backoff;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WhatFollowsForARunTest {
    private static final Backoff BACKOFF =
            Backoff.full(Duration.ofSeconds(1), Duration.ofMinutes(5));
    private final RunRules rules = new RunRules(BACKOFF, new Random(3));

    @Test
    void a_success_ends_run_and_job() {
        assertThat(rules.reported(running(1, 2, 3), 1, RunOutcome.SUCCEEDED))
                .isEqualTo(new RunTransition.Ends(RunStatus.SUCCEEDED, null));
    }

    @Test
    void a_failure_is_followed_by_another_run_while_attempts_last() {
        RunTransition.Ends ends =
                (RunTransition.Ends) rules.reported(running(1, 1, 3), 1, RunOutcome.FAILED);
        RunTransition.Successor next = Objects.requireNonNull(ends.next());

        assertThat(ends.status()).isEqualTo(RunStatus.FAILED);
        assertThat(next.attempt()).isEqualTo(2);
        assertThat(next.failuresLeft()).isZero();
        assertThat(next.lossesLeft()).isEqualTo(3);
        assertThat(rules.reported(running(2, 0, 3), 2, RunOutcome.FAILED))
                .isEqualTo(new RunTransition.Ends(RunStatus.FAILED, null));
    }

    @Test
    void a_report_with_a_lower_attempt_or_for_a_lost_run_is_late() {
        assertThat(rules.reported(running(2, 0, 0), 1, RunOutcome.SUCCEEDED))
                .isEqualTo(new RunTransition.Late());
        assertThat(rules.reported(over(1, RunStatus.LOST), 1, RunOutcome.SUCCEEDED))
                .isEqualTo(new RunTransition.Late());
    }

    @Test
    void the_same_report_twice_is_repeated() {
        assertThat(rules.reported(over(1, RunStatus.SUCCEEDED), 1, RunOutcome.SUCCEEDED))
                .isEqualTo(new RunTransition.Repeated());
    }

    @Test
    void a_lost_run_is_followed_at_once_until_its_own_cap() {
        assertThat(rules.lost(running(1, 0, 1)))
                .isEqualTo(
                        new RunTransition.Ends(
                                RunStatus.LOST,
                                new RunTransition.Successor(2, 0, 0, Duration.ZERO)));
        assertThat(rules.lost(running(2, 5, 0)))
                .isEqualTo(new RunTransition.Ends(RunStatus.LOST, null));
    }

    @Test
    void a_run_that_was_to_be_cancelled_is_never_followed() {
        Run asked = running(1, 3, 3, true);

        assertThat(rules.lost(asked)).isEqualTo(new RunTransition.Ends(RunStatus.CANCELLED, null));
        assertThat(rules.reported(asked, 1, RunOutcome.FAILED))
                .isEqualTo(new RunTransition.Ends(RunStatus.FAILED, null));
    }

    @Test
    void a_host_is_given_what_both_limits_leave() {
        HostLimits limits = new HostLimits(3, 5);

        assertThat(limits.allowance(HostUsage.NONE, 7).runs()).isEqualTo(3);
        assertThat(limits.allowance(new HostUsage(1, 7, 4), 7).runs()).isEqualTo(1);
        assertThat(limits.allowance(new HostUsage(1, 7, 5), 7))
                .isEqualTo(new HostLimits.Allowance(0, true));
        assertThat(limits.allowance(new HostUsage(1, 7, 5), 8).runs()).isEqualTo(2);
        assertThat(limits.allowance(new HostUsage(3, 7, 3), 7))
                .isEqualTo(new HostLimits.Allowance(0, false));
    }

    private static Run running(int attempt, int failuresLeft, int lossesLeft) {
        return running(attempt, failuresLeft, lossesLeft, false);
    }

    private static Run running(int attempt, int failuresLeft, int lossesLeft, boolean cancel) {
        return run(attempt, RunStatus.RUNNING, cancel, failuresLeft, lossesLeft);
    }

    private static Run over(int attempt, RunStatus status) {
        return run(attempt, status, false, 0, 0);
    }

    private static Run run(
            int attempt, RunStatus status, boolean cancel, int failuresLeft, int lossesLeft) {
        return new Run(
                new RunId("run"),
                new OrgId("org"),
                new JobId("job"),
                new HostId("host"),
                attempt,
                status,
                0,
                cancel,
                failuresLeft,
                lossesLeft);
    }
}
