package dev.skep.conformance.dispatch;

import static dev.skep.conformance.dispatch.QueueFixture.HOST;
import static dev.skep.conformance.dispatch.QueueFixture.SECOND;
import static dev.skep.conformance.dispatch.QueueFixture.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.host.HostViews;
import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.Outcome;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.Claim;
import dev.skep.dispatch.queue.Creation;
import dev.skep.dispatch.queue.Report;
import dev.skep.dispatch.queue.Room;
import dev.skep.dispatch.queue.Settlement;
import dev.skep.dispatch.queue.Turn;
import dev.skep.dispatch.queue.Wanted;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A host that reports and asks for more in one step; and what its limits do not hold for. */
@ParameterizedClass
@EnumSource(Engine.class)
class TurnsTest {
    private final Engine engine;
    private QueueFixture queue;

    TurnsTest(Engine engine) {
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

    private Turn turn(Assignment run, Outcome outcome) {
        return queue.queue()
                .settleAndClaim(HOST, new Report(run.run(), run.attempt(), outcome, null));
    }

    private static Assignment next(Turn turn) {
        return ((Claim.Claimed) turn.next()).assignment();
    }

    private Creation steer(String type) {
        return queue.create(NewJob.plain(HOST.id(), type, "{\"agent\":\"alice\"}"));
    }

    @Test
    void a_report_brings_the_next_run_into_the_slot_it_frees() {
        Creation first = queue.create();
        Creation second = queue.create();
        Assignment run = queue.claimed(HOST);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new Claim.AtCap());

        Turn turn = turn(run, Outcome.SUCCEEDED);
        assertThat(turn.settlement()).isEqualTo(Settlement.APPLIED);
        assertThat(next(turn).job()).isEqualTo(second.job());
        assertThat(queue.status(first)).isEqualTo("succeeded");
        assertThat(queue.queue().claim(HOST)).isEqualTo(new Claim.AtCap());
        Turn last = turn(next(turn), Outcome.SUCCEEDED);
        assertThat(last).isEqualTo(new Turn(Settlement.APPLIED, new Claim.NothingPending()));
    }

    @Test
    void a_host_shows_how_many_runs_it_holds_whoever_counts_them() {
        queue.limit(HOST, new HostLimits(2, null));
        queue.create();
        queue.create();
        queue.create();
        assertThat(shownAsRunning()).isZero();
        Assignment first = queue.claimed(HOST);
        queue.claimed(HOST);
        assertThat(shownAsRunning()).isEqualTo(2);

        Assignment third = next(turn(first, Outcome.SUCCEEDED));
        assertThat(shownAsRunning()).isEqualTo(2);
        queue.settle(HOST, third, Outcome.SUCCEEDED);
        assertThat(shownAsRunning()).isEqualTo(1);

        queue.time.advance(Duration.ofSeconds(31));
        queue.queue().sweep();
        assertThat(shownAsRunning()).isZero();
    }

    private int shownAsRunning() {
        return queue.database
                .read(s -> HostViews.find(s, HOST, HOST.id(), queue.time.instant()))
                .orElseThrow()
                .running();
    }

    @Test
    void a_report_that_does_not_count_frees_nothing() {
        queue.create();
        queue.create();
        Assignment run = queue.claimed(HOST);

        Report ofAnotherAttempt = new Report(run.run(), 7, Outcome.SUCCEEDED, null);
        assertThat(queue.queue().settleAndClaim(HOST, ofAnotherAttempt))
                .isEqualTo(new Turn(Settlement.LATE, new Claim.AtCap()));
        Report ofAnotherHost = new Report(run.run(), 1, Outcome.SUCCEEDED, null);
        assertThat(queue.queue().settleAndClaim(SECOND, ofAnotherHost))
                .isEqualTo(new Turn(Settlement.UNKNOWN, new Claim.NothingPending()));
        assertThat(queue.queue().claim(HOST)).isEqualTo(new Claim.AtCap());
    }

    @Test
    void a_failure_is_followed_by_its_next_attempt_and_the_minute_still_counts() {
        queue.limit(HOST, new HostLimits(1, 2));
        Creation fails = queue.create(job().withMaxAttempts(2));
        Creation other = queue.create();
        Assignment run = queue.claimed(HOST);
        assertThat(run.job()).isEqualTo(fails.job());

        Turn turn = turn(run, Outcome.FAILED);
        assertThat(next(turn).job()).isEqualTo(other.job());
        queue.time.advance(Duration.ofSeconds(5));
        queue.queue().sweep();
        assertThat(turn(next(turn), Outcome.SUCCEEDED).next()).isEqualTo(new Claim.RateLimited());
    }

    @Test
    void who_steers_an_agent_does_not_wait_for_the_hosts_limits() {
        queue.limit(HOST, new HostLimits(1, 1));
        queue.create(job().withPriority(1_000));
        Creation waits = queue.create(job().withPriority(1_000));
        Assignment busy = queue.claimed(HOST);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new Claim.AtCap());
        Creation pause = steer("agent.pause");
        Creation stop = steer("agent.stop");
        Creation task =
                queue.create(NewJob.plain(HOST.id(), "agent.task", "{\"agent\":\"alice\"}"));

        Assignment pausing = queue.claimed(HOST);
        assertThat(pausing.job()).isEqualTo(pause.job());
        Claim stopping = queue.queue().claim(HOST, Wanted.STEERING);
        assertThat(((Claim.Claimed) stopping).assignment().job()).isEqualTo(stop.job());
        assertThat(queue.queue().claim(HOST, Wanted.STEERING))
                .isEqualTo(new Claim.NothingPending());

        // They took no slot, and give none back.
        queue.settle(HOST, pausing, Outcome.SUCCEEDED);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new Claim.AtCap());
        queue.settle(HOST, busy, Outcome.SUCCEEDED);
        assertThat(queue.queue().claim(HOST)).isEqualTo(new Claim.RateLimited());
        queue.time.advance(Duration.ofMinutes(1));
        assertThat(queue.claimed(HOST).job()).isEqualTo(waits.job());
        assertThat(queue.status(task)).isEqualTo("pending");
    }

    @Test
    void a_run_that_steers_and_is_lost_comes_again() {
        Creation pause = steer("agent.pause");
        queue.claimed(HOST);
        queue.restart();
        assertThat(queue.queue().claim(HOST, Wanted.STEERING))
                .isEqualTo(new Claim.NothingPending());
        queue.time.advance(Duration.ofSeconds(31));
        queue.queue().sweep();

        Assignment again = queue.claimed(HOST);
        assertThat(again.job()).isEqualTo(pause.job());
        assertThat(again.attempt()).isEqualTo(2);
    }

    @Test
    void whether_a_host_has_room_follows_from_what_runs_and_what_waits() {
        queue.limit(HOST, new HostLimits(2, 3));
        assertThat(queue.queue().room(HOST)).isEqualTo(Room.FREE);
        queue.create();
        queue.create();
        assertThat(queue.queue().room(HOST)).isEqualTo(Room.AT_CAP);
        queue.settle(HOST, queue.claimed(HOST), Outcome.SUCCEEDED);
        assertThat(queue.queue().room(HOST)).isEqualTo(Room.FREE);
        queue.settle(HOST, queue.claimed(HOST), Outcome.SUCCEEDED);
        queue.create();
        assertThat(queue.queue().room(HOST)).isEqualTo(Room.AT_CAP);
        queue.settle(HOST, queue.claimed(HOST), Outcome.SUCCEEDED);
        assertThat(queue.queue().room(HOST)).isEqualTo(Room.RATE_LIMITED);
        queue.time.advance(Duration.ofMinutes(1));
        assertThat(queue.queue().room(HOST)).isEqualTo(Room.FREE);
    }
}
