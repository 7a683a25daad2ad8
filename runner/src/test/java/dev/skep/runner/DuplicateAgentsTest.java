package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.Agent;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DuplicateAgentsTest {
    private static final AgentId OLD = new AgentId("01OLD");
    private static final AgentId NEW = new AgentId("02NEW");
    private static final AgentId THIRD = new AgentId("03THIRD");

    @Test
    void one_that_was_made_meanwhile_becomes_the_one_of_its_name() {
        assertThat(become(Set.of(), Set.of(NEW), agent(OLD, "ada", "a"), agent(NEW, "ada", "b")))
                .isEqualTo(Map.of(NEW, OLD));
    }

    @Test
    void one_whose_file_got_another_name_becomes_the_one_of_its_file() {
        assertThat(become(Set.of(), Set.of(NEW), agent(OLD, "ada", "a"), agent(NEW, "eve", "a")))
                .isEqualTo(Map.of(NEW, OLD));
        // Without the loss two rows may have had one path: the file of one was given to the other.
        assertThat(become(Set.of(), Set.of(), agent(OLD, "ada", "a"), agent(NEW, "eve", "a")))
                .isEmpty();
    }

    @Test
    void two_hubs_that_gave_back_one_each_gave_back_one() {
        assertThat(become(Set.of(), Set.of(), agent(OLD, "ada", "a"), agent(NEW, "ada", "a")))
                .isEqualTo(Map.of(NEW, OLD));
    }

    @Test
    void one_that_was_removed_stays_removed() {
        Agent removed = agent(OLD, "ada", "a", Agent.Kind.AGENT, Instant.EPOCH);
        assertThat(become(Set.of(), Set.of(NEW), removed, agent(NEW, "ada", "a")))
                .isEqualTo(Map.of(NEW, OLD));
    }

    @Test
    void one_that_was_taken_over_is_another_than_the_own_of_its_name() {
        assertThat(become(Set.of(OLD), Set.of(), agent(OLD, "ada", "a"), agent(NEW, "ada", "a")))
                .isEmpty();
        assertThat(
                        become(
                                Set.of(OLD),
                                Set.of(THIRD),
                                agent(OLD, "ada", "a"),
                                agent(NEW, "ada", "a"),
                                agent(THIRD, "ada", "a")))
                .isEqualTo(Map.of(THIRD, NEW));
        // Its file was made one of this host's own by the loss alone.
        assertThat(
                        become(
                                Set.of(OLD),
                                Set.of(THIRD),
                                agent(OLD, "ada", "a"),
                                agent(THIRD, "ada", "a")))
                .isEqualTo(Map.of(THIRD, OLD));
    }

    @Test
    void a_mailbox_is_no_agent() {
        Agent mailbox = agent(OLD, "ada", "a", Agent.Kind.OPERATOR, null);
        assertThat(become(Set.of(), Set.of(NEW), mailbox, agent(NEW, "ada", "b"))).isEmpty();
    }

    private static Map<AgentId, AgentId> become(
            Set<AgentId> takenOver, Set<AgentId> provisional, Agent... own) {
        return new DuplicateAgents(List.of(own), takenOver, provisional).mergeTargets();
    }

    private static Agent agent(AgentId id, String name, String path) {
        return agent(id, name, path, Agent.Kind.AGENT, null);
    }

    private static Agent agent(
            AgentId id, String name, String path, Agent.Kind kind, @Nullable Instant deleted) {
        return new Agent(
                id,
                new HostId("01HOST"),
                "host",
                name,
                null,
                kind,
                path,
                null,
                null,
                false,
                deleted,
                Instant.EPOCH);
    }
}
