package dev.skep.conformance.dispatch;

import static dev.skep.conformance.dispatch.QueueFixture.HOST;
import static dev.skep.conformance.dispatch.QueueFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.job.Outcome;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.Claim;
import dev.skep.dispatch.queue.Holding;
import dev.skep.dispatch.queue.Settlement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Engine.class)
class UndeliveredRunsTest {
    private final Engine engine;
    private QueueFixture queue;

    UndeliveredRunsTest(Engine engine) {
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

    @Test
    void a_run_that_did_not_reach_its_host_is_followed_at_once() {
        queue.create();
        Assignment lost = queue.claimed(HOST);
        queue.queue().giveBack(SECOND, new Holding(lost.run(), 1));
        assertThat(queue.queue().claim(HOST)).isEqualTo(new Claim.AtCap());
        queue.queue().giveBack(HOST, new Holding(lost.run(), 1));

        Assignment next = queue.claimed(HOST);
        assertThat(next.job()).isEqualTo(lost.job());
        assertThat(next.attempt()).isEqualTo(2);
        queue.queue().giveBack(HOST, new Holding(lost.run(), 1));
        assertThat(queue.settle(HOST, lost, Outcome.SUCCEEDED)).isEqualTo(Settlement.LATE);
        assertThat(queue.settle(HOST, next, Outcome.SUCCEEDED)).isEqualTo(Settlement.APPLIED);
    }
}
