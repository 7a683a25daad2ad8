package dev.skep.conformance.dispatch;

import static dev.skep.conformance.dispatch.QueueFixture.HOST;
import static dev.skep.conformance.dispatch.QueueFixture.OPERATOR;
import static dev.skep.conformance.dispatch.QueueFixture.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.RunOutcome;
import dev.skep.dispatch.queue.ActiveRun;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.CreatedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A claim gets the best that waits, also when that came up after others were taken already. */
class OrderOfClaimsTest extends EachEngine {
    private static final int STEPS = 600;

    @BeforeEach
    void letItHoldMany() {
        queue.limit(HOST, new HostLimits(1_000_000, null));
    }

    @Test
    void an_urgent_job_passes_those_that_wait_already() {
        CreatedJob first = queue.create();
        queue.create();
        CreatedJob third = queue.create();
        assertThat(queue.claimed(HOST).job()).isEqualTo(first.job());

        CreatedJob urgent = queue.create(job().withPriority(1));
        assertThat(queue.claimed(HOST).job()).isEqualTo(urgent.job());
        queue.claimed(HOST);
        assertThat(queue.claimed(HOST).job()).isEqualTo(third.job());
    }

    @Test
    void a_run_that_is_given_back_goes_before_younger_jobs() {
        queue.create();
        queue.create();
        queue.create();
        Assignment first = queue.claimed(HOST);
        queue.claimed(HOST);

        queue.queue().giveBack(HOST, new ActiveRun(first.run(), first.attempt()));
        assertThat(queue.claimed(HOST).job()).isEqualTo(first.job());
    }

    @Test
    void a_job_that_is_retried_goes_before_younger_jobs() {
        CreatedJob failed = queue.create();
        queue.create();
        queue.create();
        queue.settle(HOST, queue.claimed(HOST), RunOutcome.FAILED);
        queue.claimed(HOST);

        queue.queue().retry(OPERATOR, failed.job());
        assertThat(queue.claimed(HOST).job()).isEqualTo(failed.job());
    }

    @Test
    void a_job_whose_time_has_come_goes_before_younger_jobs() {
        CreatedJob delayed = queue.create(job().notBefore(queue.time.instant().plusSeconds(5)));
        queue.create();
        queue.create();
        queue.claimed(HOST);

        queue.time.advance(Duration.ofSeconds(5));
        queue.queue().sweep();
        assertThat(queue.claimed(HOST).job()).isEqualTo(delayed.job());
    }

    @Test
    void whatever_happens_a_claim_gets_the_best_of_what_waits() {
        History history = new History(new Random(7));
        for (int step = 0; step < STEPS; step++) {
            history.step();
        }
        assertThat(history.claims).isGreaterThan(STEPS / 5);
    }

    /** What waits, according to what was done so far. */
    private final class History {
        private final Random random;
        private final List<Waiting> waiting = new ArrayList<>();
        private final List<Waiting> delayed = new ArrayList<>();
        private final List<Held> held = new ArrayList<>();
        private final List<Waiting> over = new ArrayList<>();
        private int claims;

        History(Random random) {
            this.random = random;
        }

        record Waiting(JobId job, int priority, Instant due) {
            static final Comparator<Waiting> BEST_FIRST =
                    Comparator.comparingInt(Waiting::priority)
                            .reversed()
                            .thenComparing(waiting -> waiting.job().value());
        }

        record Held(Waiting job, Assignment run) {}

        void step() {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> create();
                case 3 -> delay();
                case 4 -> any(held).ifPresent(this::settle);
                case 5 -> any(held).ifPresent(this::giveBack);
                case 6 -> any(over).ifPresent(this::retry);
                case 7 -> any(waiting).ifPresent(this::cancel);
                case 8 -> pass();
                default -> claim();
            }
        }

        private void create() {
            int priority = random.nextInt(-1, 2);
            CreatedJob created = queue.create(job().withPriority(priority));
            waiting.add(new Waiting(created.job(), priority, queue.time.instant()));
        }

        private void delay() {
            Instant due = queue.time.instant().plusSeconds(1 + random.nextInt(20));
            NewJob later = job().notBefore(due);
            delayed.add(new Waiting(queue.create(later).job(), later.priority(), due));
        }

        private void settle(Held run) {
            held.remove(run);
            over.add(run.job());
            queue.settle(HOST, run.run(), RunOutcome.SUCCEEDED);
        }

        private void giveBack(Held run) {
            held.remove(run);
            waiting.add(run.job());
            queue.queue().giveBack(HOST, new ActiveRun(run.run().run(), run.run().attempt()));
        }

        private void retry(Waiting job) {
            over.remove(job);
            waiting.add(job);
            queue.queue().retry(OPERATOR, job.job());
        }

        private void cancel(Waiting job) {
            waiting.remove(job);
            over.add(job);
            queue.queue().cancel(OPERATOR, job.job());
        }

        private void pass() {
            queue.time.advance(Duration.ofSeconds(3));
            queue.queue()
                    .renew(
                            HOST,
                            held.stream()
                                    .map(of -> new ActiveRun(of.run().run(), of.run().attempt()))
                                    .toList());
            queue.queue().sweep();
            List<Waiting> due =
                    delayed.stream().filter(of -> !of.due().isAfter(queue.time.instant())).toList();
            delayed.removeAll(due);
            waiting.addAll(due);
        }

        private void claim() {
            Optional<Waiting> best = waiting.stream().min(Waiting.BEST_FIRST);
            if (best.isEmpty()) {
                assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.NothingPending());
                return;
            }
            Assignment run = queue.claimed(HOST);
            assertThat(run.job()).as("claim %d", claims).isEqualTo(best.get().job());
            waiting.remove(best.get());
            held.add(new Held(best.get(), run));
            claims++;
        }

        private <T> Optional<T> any(List<T> list) {
            return list.isEmpty()
                    ? Optional.empty()
                    : Optional.of(list.get(random.nextInt(list.size())));
        }
    }
}
