package dev.skep.conformance.dispatch;

import static dev.skep.conformance.dispatch.QueueFixture.HOST;
import static dev.skep.conformance.dispatch.QueueFixture.SECOND;
import static dev.skep.conformance.dispatch.QueueFixture.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.host.HostQueries;
import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.RunOutcome;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.ClaimScope;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.dispatch.queue.HostCapacity;
import dev.skep.dispatch.queue.ReportResult;
import dev.skep.dispatch.queue.RunReport;
import dev.skep.dispatch.queue.TurnResult;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A host that reports and asks for more in one step; and what its limits do not hold for. */
@ParameterizedClass
@EnumSource(QueueEngine.class)
class TurnsTest {
    private final QueueEngine engine;
    private QueueFixture queue;

    TurnsTest(QueueEngine engine) {
        this.engine = engine;
    }

    @BeforeEach
    void open() {
        queue = new QueueFixture(engine);
    }

    @AfterEach
    void close() {
        queue.close();
    }

    private TurnResult turn(Assignment run, RunOutcome outcome) {
        return queue.queue()
                .settleAndClaim(HOST, new RunReport(run.run(), run.attempt(), outcome, null));
    }

    private static Assignment next(TurnResult turn) {
        return ((ClaimResult.Claimed) turn.next()).assignment();
    }

    private CreatedJob steer(String type) {
        return queue.create(NewJob.plain(HOST.id(), type, "{\"agent\":\"alice\"}"));
    }

    @Test
    void a_report_brings_the_next_run_into_the_slot_it_frees() {
        CreatedJob first = queue.create();
        CreatedJob second = queue.create();
        Assignment run = queue.claimed(HOST);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());

        TurnResult turn = turn(run, RunOutcome.SUCCEEDED);
        assertThat(turn.settlement()).isEqualTo(ReportResult.APPLIED);
        assertThat(next(turn).job()).isEqualTo(second.job());
        assertThat(queue.status(first)).isEqualTo("succeeded");
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());
        TurnResult last = turn(next(turn), RunOutcome.SUCCEEDED);
        assertThat(last)
                .isEqualTo(new TurnResult(ReportResult.APPLIED, new ClaimResult.NothingPending()));
    }

    @Test
    void a_host_shows_how_many_runs_it_holds_on_every_engine() {
        queue.limit(HOST, new HostLimits(2, null));
        queue.create();
        queue.create();
        queue.create();
        assertThat(shownAsRunning()).isZero();
        Assignment first = queue.claimed(HOST);
        queue.claimed(HOST);
        assertThat(shownAsRunning()).isEqualTo(2);

        Assignment third = next(turn(first, RunOutcome.SUCCEEDED));
        assertThat(shownAsRunning()).isEqualTo(2);
        queue.settle(HOST, third, RunOutcome.SUCCEEDED);
        assertThat(shownAsRunning()).isEqualTo(1);

        queue.time.advance(Duration.ofSeconds(31));
        queue.queue().sweep();
        assertThat(shownAsRunning()).isZero();
    }

    private int shownAsRunning() {
        return queue.database
                .read(s -> HostQueries.find(s, HOST, HOST.id(), queue.time.instant()))
                .orElseThrow()
                .running();
    }

    @Test
    void a_report_that_does_not_count_frees_nothing() {
        queue.create();
        queue.create();
        Assignment run = queue.claimed(HOST);

        RunReport ofAnotherAttempt = new RunReport(run.run(), 7, RunOutcome.SUCCEEDED, null);
        assertThat(queue.queue().settleAndClaim(HOST, ofAnotherAttempt))
                .isEqualTo(new TurnResult(ReportResult.LATE, new ClaimResult.AtCap()));
        RunReport ofAnotherHost = new RunReport(run.run(), 1, RunOutcome.SUCCEEDED, null);
        assertThat(queue.queue().settleAndClaim(SECOND, ofAnotherHost))
                .isEqualTo(new TurnResult(ReportResult.UNKNOWN, new ClaimResult.NothingPending()));
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());
    }

    @Test
    void a_failure_is_followed_by_its_next_attempt_and_the_minute_still_counts() {
        queue.limit(HOST, new HostLimits(1, 2));
        CreatedJob fails = queue.create(job().withMaxAttempts(2));
        CreatedJob other = queue.create();
        Assignment run = queue.claimed(HOST);
        assertThat(run.job()).isEqualTo(fails.job());

        TurnResult turn = turn(run, RunOutcome.FAILED);
        assertThat(next(turn).job()).isEqualTo(other.job());
        queue.time.advance(Duration.ofSeconds(5));
        queue.queue().sweep();
        assertThat(turn(next(turn), RunOutcome.SUCCEEDED).next())
                .isEqualTo(new ClaimResult.RateLimited());
    }

    @Test
    void who_steers_an_agent_does_not_wait_for_the_hosts_limits() {
        queue.limit(HOST, new HostLimits(1, 1));
        queue.create(job().withPriority(1_000));
        CreatedJob waits = queue.create(job().withPriority(1_000));
        Assignment busy = queue.claimed(HOST);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());
        CreatedJob pause = steer("agent.pause");
        CreatedJob stop = steer("agent.stop");
        CreatedJob task =
                queue.create(NewJob.plain(HOST.id(), "agent.task", "{\"agent\":\"alice\"}"));

        Assignment pausing = queue.claimed(HOST);
        assertThat(pausing.job()).isEqualTo(pause.job());
        ClaimResult stopping = queue.queue().claim(HOST, ClaimScope.STEERING);
        assertThat(((ClaimResult.Claimed) stopping).assignment().job()).isEqualTo(stop.job());
        assertThat(queue.queue().claim(HOST, ClaimScope.STEERING))
                .isEqualTo(new ClaimResult.NothingPending());

        // They took no slot, and give none back.
        queue.settle(HOST, pausing, RunOutcome.SUCCEEDED);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.AtCap());
        queue.settle(HOST, busy, RunOutcome.SUCCEEDED);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.RateLimited());
        queue.time.advance(Duration.ofMinutes(1));
        assertThat(queue.claimed(HOST).job()).isEqualTo(waits.job());
        assertThat(queue.status(task)).isEqualTo("pending");
    }

    @Test
    void a_run_that_steers_and_is_lost_comes_again() {
        CreatedJob pause = steer("agent.pause");
        queue.claimed(HOST);
        queue.restart();
        assertThat(queue.queue().claim(HOST, ClaimScope.STEERING))
                .isEqualTo(new ClaimResult.NothingPending());
        queue.time.advance(Duration.ofSeconds(31));
        queue.queue().sweep();

        Assignment again = queue.claimed(HOST);
        assertThat(again.job()).isEqualTo(pause.job());
        assertThat(again.attempt()).isEqualTo(2);
    }

    @Test
    void whether_a_host_has_room_follows_from_what_runs_and_what_waits() {
        queue.limit(HOST, new HostLimits(2, 3));
        assertThat(queue.queue().room(HOST)).isEqualTo(HostCapacity.FREE);
        queue.create();
        queue.create();
        assertThat(queue.queue().room(HOST)).isEqualTo(HostCapacity.AT_CAP);
        queue.settle(HOST, queue.claimed(HOST), RunOutcome.SUCCEEDED);
        assertThat(queue.queue().room(HOST)).isEqualTo(HostCapacity.FREE);
        queue.settle(HOST, queue.claimed(HOST), RunOutcome.SUCCEEDED);
        queue.create();
        assertThat(queue.queue().room(HOST)).isEqualTo(HostCapacity.AT_CAP);
        queue.settle(HOST, queue.claimed(HOST), RunOutcome.SUCCEEDED);
        assertThat(queue.queue().room(HOST)).isEqualTo(HostCapacity.RATE_LIMITED);
        queue.time.advance(Duration.ofMinutes(1));
        assertThat(queue.queue().room(HOST)).isEqualTo(HostCapacity.FREE);
    }
}
