package dev.skep.registry.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class NodeCountersTest {
    private static final Instant START = Instant.parse("2027-01-01T00:00:00Z");

    @Test
    void stretches_add_up_and_gaps_do_not_count() {
        NodeCounters nodeCounters = new NodeCounters();
        nodeCounters.up(START);
        nodeCounters.countActiveUntil(at(10));
        nodeCounters.countActiveUntil(at(10));
        nodeCounters.up(at(100));
        nodeCounters.countActiveUntil(at(105));
        assertThat(uptime(nodeCounters)).isEqualTo(15);
    }

    @Test
    void a_clock_that_steps_back_counts_nothing_twice() {
        NodeCounters nodeCounters = new NodeCounters();
        nodeCounters.up(START);
        nodeCounters.countActiveUntil(at(100));
        nodeCounters.up(at(50));
        nodeCounters.countActiveUntil(at(80));
        nodeCounters.countActiveUntil(at(101));
        assertThat(uptime(nodeCounters)).isEqualTo(101);
    }

    @Test
    void after_a_crash_only_what_was_not_written_is_added() {
        NodeCounters nodeCounters = new NodeCounters();
        nodeCounters.up(START);
        nodeCounters.countActiveUntil(at(60));
        NodeCounters restarted = new NodeCounters(nodeCounters.stats("a"));
        restarted.countActiveUntil(at(75));
        assertThat(uptime(restarted)).isEqualTo(75);
    }

    @Test
    void what_was_counted_before_the_stored_counts_could_be_read_comes_on_top() {
        NodeCounters stored = new NodeCounters();
        stored.up(START);
        stored.countActiveUntil(at(60));
        NodeCounters nodeCounters = new NodeCounters();
        nodeCounters.up(at(100));
        nodeCounters.countActiveUntil(at(105));
        nodeCounters.relayed();
        nodeCounters.goOnFrom(stored.stats("a"));
        nodeCounters.countActiveUntil(at(110));
        assertThat(uptime(nodeCounters)).isEqualTo(70);
        assertThat(nodeCounters.stats("a").messagesRelayed()).isEqualTo(1);
        assertThat(nodeCounters.unsaved("a")).isNotNull();
    }

    private static Instant at(int seconds) {
        return START.plusSeconds(seconds);
    }

    private static long uptime(NodeCounters nodeCounters) {
        return nodeCounters.stats("a").totalUptimeSeconds();
    }
}
