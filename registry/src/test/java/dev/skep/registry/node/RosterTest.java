package dev.skep.registry.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.kernel.id.HostId;
import dev.skep.registry.node.NodeChange.Joined;
import dev.skep.registry.node.NodeChange.Reason;
import dev.skep.registry.node.NodeChange.Removed;
import dev.skep.registry.node.NodeChange.WentOffline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RosterTest {
    private static final HostId HOST = new HostId("host");
    private static final Instant START = Instant.parse("2027-01-01T00:00:00Z");
    private static final RegistryConnection ONE = new RegistryConnection(1, "127.0.0.1", true);
    private static final RegistryConnection TWO = new RegistryConnection(2, "127.0.0.1", true);

    private Instant time = START;
    private final Roster roster = roster();

    @Test
    void a_node_that_registers_again_on_its_connection_did_not_come_back() {
        register("a", 1, ONE);
        List<NodeChange> changes = register("a", 2, ONE);
        assertThat(changes)
                .singleElement()
                .isInstanceOfSatisfying(
                        Joined.class,
                        joined -> {
                            assertThat(joined.connected()).isFalse();
                            assertThat(joined.node().reconnects()).isZero();
                            assertThat(joined.node().port()).isEqualTo(2);
                        });
    }

    @Test
    void a_second_connection_ends_the_first_ones_visit() {
        register("a", 1, ONE);
        assertThat(register("a", 1, TWO))
                .hasExactlyElementsOfTypes(WentOffline.class, Joined.class);
        assertThat(roster.disconnect(ONE, START)).isEmpty();
        assertThat(roster.disconnect(TWO, START)).hasExactlyElementsOfTypes(WentOffline.class);
        assertThat(roster.disconnect(TWO, START)).isEmpty();
    }

    @Test
    void a_node_that_moves_frees_its_old_port() {
        register("a", 1, ONE);
        register("a", 2, ONE);
        assertThat(register("b", 1, TWO)).hasExactlyElementsOfTypes(Joined.class);
        assertThat(register("c", 2, TWO).getFirst())
                .isInstanceOfSatisfying(
                        Removed.class,
                        removed -> assertThat(removed.reason()).isEqualTo(Reason.EVICTED));
    }

    @Test
    void what_was_active_when_it_was_stored_went_offline_when_it_was_last_seen() {
        register("a", 1, ONE);
        Roster later = roster();
        assertThat(later.load(List.of(new StoredNode(roster.nodes().getFirst(), 0))))
                .singleElement()
                .isInstanceOfSatisfying(
                        WentOffline.class, offline -> assertThat(offline.at()).isEqualTo(START));
        assertThat(later.find("a").orElseThrow().offlineSince()).isEqualTo(START);
    }

    @Test
    void a_clock_that_steps_back_does_not_make_a_node_older() {
        register("a", 1, ONE);
        roster.recordActivity(ONE, START.minusSeconds(100));
        assertThat(roster.find("a").orElseThrow().lastSeenAt()).isEqualTo(START);
    }

    @Test
    void a_silent_node_goes_offline_once_and_is_pruned_when_its_time_is_up() {
        register("a", 1, ONE);
        assertThat(sweptAt(START.plusSeconds(90))).isEmpty();
        assertThat(sweptAt(START.plusSeconds(91))).hasExactlyElementsOfTypes(WentOffline.class);
        assertThat(sweptAt(START.plusSeconds(200))).isEmpty();
        assertThat(sweptAt(START.plus(Duration.ofDays(31))))
                .hasExactlyElementsOfTypes(Removed.class);
        assertThat(roster.size()).isZero();
    }

    @Test
    void a_clock_that_is_set_by_years_makes_no_node_silent_and_forgets_none() {
        register("a", 1, ONE);
        register("b", 2, TWO);
        roster.disconnect(TWO, START);
        assertThat(roster.sweep(START.plus(Duration.ofDays(400)))).isEmpty();
        assertThat(roster.sweep(START.minus(Duration.ofDays(400)))).isEmpty();
    }

    @Test
    void a_node_that_was_offline_before_a_restart_is_forgotten_no_later_for_it() {
        register("a", 1, ONE);
        roster.disconnect(ONE, START);
        time = START.plus(Duration.ofDays(20));
        Roster later = roster();
        assertThat(later.load(List.of(new StoredNode(roster.nodes().getFirst(), 0)))).isEmpty();
        time = START.plus(Duration.ofDays(31));
        assertThat(later.sweep(time)).hasExactlyElementsOfTypes(Removed.class);
    }

    @Test
    void what_was_done_since_the_mark_can_be_undone() {
        Random random = new Random(5);
        for (int i = 0; i < 50; i++) {
            step(random, roster);
        }
        for (int round = 0; round < 200; round++) {
            List<Node> before = roster.nodes();
            roster.mark();
            for (int i = random.nextInt(8); i >= 0; i--) {
                step(random, roster);
            }
            if (random.nextBoolean()) {
                roster.backToMark();
                assertThat(roster.nodes()).containsExactlyInAnyOrderElementsOf(before);
            }
        }
    }

    @Test
    void no_two_nodes_ever_share_machine_and_port() {
        Random random = new Random(6);
        for (int i = 0; i < 3_000; i++) {
            step(random, roster);
            Set<Node.Address> seen = new HashSet<>();
            List<Node> nodes = new ArrayList<>(roster.nodes());
            nodes.forEach(node -> assertThat(seen.add(node.address())).isTrue());
        }
    }

    private static void step(Random random, Roster roster) {
        RegistryConnection registryConnection =
                new RegistryConnection(random.nextInt(4), "127.0.0.1", true);
        String id = "n" + random.nextInt(6);
        switch (random.nextInt(6)) {
            case 0, 1, 2 ->
                    roster.register(registration(id, random.nextInt(5)), registryConnection, START);
            case 3 -> roster.disconnect(registryConnection, START);
            case 4 -> roster.deregister(id, START);
            default -> roster.recordActivity(registryConnection, START);
        }
    }

    /** Its ages are counted from the start. */
    private Roster roster() {
        return new Roster(HOST, NodeTimeouts.USUAL, () -> Duration.between(START, time).toMillis());
    }

    private List<NodeChange> sweptAt(Instant now) {
        time = now;
        return roster.sweep(now);
    }

    private List<NodeChange> register(String id, int port, RegistryConnection registryConnection) {
        return roster.register(registration(id, port), registryConnection, START);
    }

    private static NodeRegistration registration(String id, int port) {
        return new NodeRegistration(id, "machine", "/", port, null);
    }
}
