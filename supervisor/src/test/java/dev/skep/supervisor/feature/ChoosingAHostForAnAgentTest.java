package dev.skep.supervisor.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.agents.AgentTables;
import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.label.HostSelector;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.store.feed.SyncTables;
import dev.skep.supervisor.source.AgentFiles.HostChoice;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChoosingAHostForAnAgentTest {
    private static final InstantSource CLOCK = Clock.systemUTC();
    private static final OrgId ORG = new OrgId("default");
    private static final Principal WHO = new Principal.Local(ORG);

    @TempDir private Path folder;
    private Database database;
    private FeedClock feed;
    private AgentHostChooser chooser;
    private final Set<HostId> connected = new HashSet<>();
    private int agents;

    @BeforeEach
    void open() {
        database = Databases.open(new DatabaseUrl.Sqlite(folder.resolve("hub.db")), CLOCK);
        feed = new FeedClock(CLOCK, new Random(1));
        feed.start(database);
        chooser =
                new AgentHostChooser(
                        database, new AgentStore(database, own("hub"), CLOCK), connected::contains);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private OwnRowWriter own(String host) {
        return new OwnRowWriter(new SyncTables(AgentTables.ALL), feed, ORG, new HostId(host));
    }

    private void host(String name, String labels, String facts, String allows, int itsAgents) {
        HostId id = new HostId(name);
        connected.add(id);
        database.write(
                tx -> {
                    new HostHealthStore().admit(tx, ORG, List.of(id), Instant.EPOCH);
                    return tx.update(
                            "UPDATE host_health SET labels = ?, facts = ?, allows = ? WHERE host_id = ?",
                            labels,
                            facts,
                            allows,
                            name);
                });
        for (int i = 0; i < itsAgents; i++) {
            new AgentStore(database, own(name), CLOCK)
                    .put(
                            new Agent(
                                    new AgentId("agent-" + agents++),
                                    id,
                                    name,
                                    "agent-" + agents,
                                    null,
                                    Agent.Kind.AGENT,
                                    null,
                                    null,
                                    null,
                                    false,
                                    null,
                                    Instant.EPOCH));
        }
    }

    private String chosen(String where) {
        return chooser.chosen(WHO, HostSelector.parse(where)).name();
    }

    @Test
    void the_host_with_the_fewest_agents_is_taken_and_by_name_among_equals() {
        host("box-c", "{}", "{\"os\":\"linux\"}", "agents", 1);
        host("box-b", "{}", "{\"os\":\"linux\"}", "agents", 1);
        host("box-a", "{}", "{\"os\":\"linux\"}", "agents", 2);
        assertThat(chosen("any")).isEqualTo("box-b");
        assertThat(chosen("os=linux")).isEqualTo("box-b");
    }

    @Test
    void what_operators_say_goes_before_what_a_host_says_of_itself() {
        host("box-a", "{\"zone\":\"ams\"}", "{\"zone\":\"fra\",\"memory\":\"16\"}", "agents", 0);
        host("box-b", "{\"zone\":\"fra\"}", "{\"memory\":\"64\"}", "agents", 5);
        assertThat(chosen("zone=fra")).isEqualTo("box-b");
        assertThat(chosen("memory>=32")).isEqualTo("box-b");
        assertThat(chosen("memory<=32, zone=ams")).isEqualTo("box-a");
    }

    @Test
    void a_host_that_is_away_or_does_not_allow_it_is_not_taken_and_is_named_if_none_is_left() {
        host("box-a", "{}", "{}", "steer", 0);
        host("box-b", "{}", "{}", "agents", 0);
        host("box-c", "{}", "{}", "agents", 3);
        connected.remove(new HostId("box-b"));
        assertThat(chosen("any")).isEqualTo("box-c");

        connected.clear();
        assertThatThrownBy(() -> chosen("any"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("box-a does not allow 'agents'")
                .hasMessageContaining("box-b is not connected");
        assertThat(chooser.choices(WHO, HostSelector.any()))
                .extracting(HostChoice::name)
                .containsExactly("box-a", "box-b", "box-c");
    }

    @Test
    void a_label_that_nobody_has_is_named() {
        host("box-a", "{\"gpu\":\"a100\"}", "{}", "agents", 0);
        host("box-b", "{}", "{\"os\":\"macos\"}", "agents", 0);
        assertThatThrownBy(() -> chosen("gpu=a100, zone=ams"))
                .hasMessageContaining("nobody has zone=ams");
        assertThatThrownBy(() -> chosen("gpu=a100, os=macos"))
                .hasMessageContaining("only one or the other");
    }

    @Test
    void hosts_of_another_org_are_neither_shown_nor_taken() {
        host("box-a", "{}", "{}", "agents", 0);
        Principal other = new Principal.Local(new OrgId("acme"));
        assertThat(chooser.choices(other, HostSelector.any())).isEmpty();
        assertThatThrownBy(() -> chooser.named(other, "box-a"))
                .hasMessageContaining("there is no host box-a");
    }
}
