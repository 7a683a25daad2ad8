package dev.skep.conformance.agents;

import static dev.skep.conformance.agents.TwoHosts.LOCAL;
import static dev.skep.conformance.agents.TwoHosts.ONE;
import static dev.skep.conformance.agents.TwoHosts.TWO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.Agent;
import dev.skep.agents.version.AgentVersion;
import dev.skep.agents.version.AgentVersionStore;
import dev.skep.agents.version.FileChange;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class VersionsOfAgentsTest {
    private final TestDatabase kind;
    @TempDir Path folder;
    private TwoHosts hosts;
    private AgentVersionStore versions;
    private Agent alice;

    VersionsOfAgentsTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        hosts = new TwoHosts(kind, folder);
        versions = new AgentVersionStore(hosts.database, hosts.own, hosts.agents, hosts.time);
        alice = hosts.agent(ONE, "alice", false);
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    private void store(String text) {
        versions.store(alice, text, each -> each, Optional.empty());
    }

    private List<Long> numbers() {
        return versions.of(LOCAL, alice.id()).stream().map(AgentVersion::number).toList();
    }

    @Test
    void a_text_is_a_version_once_and_the_agents_row_has_its_number() {
        store("one");
        store("one");
        store("two");
        store("one");

        assertThat(numbers()).containsExactly(3L, 2L, 1L);
        assertThat(hosts.agents.byId(LOCAL, alice.id()).orElseThrow().configVersion()).isEqualTo(3);
        assertThat(versions.newestHashes()).isEqualTo(Map.of(alice.id(), AgentVersion.hash("one")));
        assertThat(versions.find(LOCAL, alice.id(), 2).orElseThrow().content()).isEqualTo("two");
        assertThat(versions.of(LOCAL, alice.id()))
                .extracting(AgentVersion::content)
                .containsOnly("");
    }

    @Test
    void the_newest_fifty_are_kept_in_as_many_rows() {
        for (int i = 1; i <= 120; i++) {
            hosts.time.advance(Duration.ofSeconds(1));
            store("text " + i);
        }
        assertThat(versions.newest(LOCAL, alice.id()).orElseThrow().createdAt())
                .as("not the time of the version whose place it took")
                .isEqualTo(hosts.time.instant());
        assertThat(numbers()).hasSize(50).startsWith(120L).endsWith(71L);
        assertThat(versions.find(LOCAL, alice.id(), 70)).isEmpty();
        assertThat(versions.find(LOCAL, alice.id(), 120).orElseThrow().content())
                .isEqualTo("text 120");
    }

    @Test
    void another_org_sees_none_of_them() {
        store("one");
        Principal other = new Principal.Local(new OrgId("01ORG0000000000000000000BB"));
        assertThat(versions.of(other, alice.id())).isEmpty();
        assertThat(versions.newest(other, alice.id())).isEmpty();
        assertThat(versions.find(other, alice.id(), 1)).isEmpty();
    }

    @Test
    void the_next_owner_counts_on_and_takes_the_places_of_the_oldest() {
        for (int i = 1; i <= 49; i++) {
            store("text " + i);
        }
        hosts.database.write(
                tx ->
                        tx.update(
                                "UPDATE users SET host_id = ?, gen = 1 WHERE id = ?",
                                TWO.value(),
                                alice.id().value()));
        // What a hub has of both: the rows of the old owner stay until the new one needs their
        // place.
        AgentVersionStore ofTwo =
                new AgentVersionStore(hosts.database, hosts.ownOfTwo, hosts.agents, hosts.time);
        hosts.database.write(
                tx ->
                        tx.update(
                                "DELETE FROM agent_versions WHERE number < 40 AND user_id = ?",
                                alice.id().value()));
        assertThat(ofTwo.newestHashes()).containsOnlyKeys(alice.id());

        // The old owner writes no more for an agent that it has lost.
        store("too late");
        assertThat(numbers()).startsWith(49L);
    }

    @Test
    void a_secret_that_was_learned_since_makes_no_version() {
        store("title: m-123456");
        versions.store(
                alice,
                "title: [redacted]",
                text -> text.replace("m-123456", "[redacted]"),
                Optional.empty());
        assertThat(numbers()).containsExactly(1L);
        assertThat(versions.newest(LOCAL, alice.id()).orElseThrow().content())
                .isEqualTo("title: [redacted]");
    }

    @Test
    void what_was_announced_is_known_until_it_is_stored() {
        FileChange change =
                new FileChange(
                        "alice.yaml",
                        AgentVersion.hash("two"),
                        alice.id(),
                        "operator ada",
                        "https://hub.example.org",
                        "because",
                        "01JOB");
        versions.begin(change);
        versions.begin(change);
        assertThat(versions.announced()).isEqualTo(Map.of("alice.yaml", change));

        versions.store(alice, "two", each -> each, Optional.of(change));

        assertThat(versions.announced()).isEmpty();
        AgentVersion newest = versions.newest(LOCAL, alice.id()).orElseThrow();
        assertThat(newest.author()).isEqualTo("operator ada");
        assertThat(newest.changeId()).isEqualTo("01JOB");
        assertThat(AgentVersion.numberIn(newest.tag())).isEqualTo(1);
    }
}
