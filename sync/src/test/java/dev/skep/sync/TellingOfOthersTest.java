package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Position;
import dev.skep.sync.hub.HubLink;
import dev.skep.wire.Message;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a host says it holds of another, which the other answers with new stamps. */
class TellingOfOthersTest {
    private static final String MALLORY = "01HOSTMALLORY0000000000000";

    private final WiredHubs wired;
    private final WiredHubs.Hub hub;
    private final WiredHubs.Runner victim;

    TellingOfOthersTest(@TempDir Path folder) {
        wired = new WiredHubs(folder, 100);
        hub = wired.new Hub("hub");
        victim = wired.new Runner("victim");
        victim.write(HostTable.HOSTS);
        victim.write(AgentTables.CONTEXT_LOG);
        victim.connect(hub);
        wired.settle();
    }

    @AfterEach
    void close() {
        wired.close();
    }

    @Test
    void no_peer_ends_a_hosts_sync_by_naming_the_last_possible_position() {
        for (long epoch : List.of((1L << 37) - 1, 1L << 40, Long.MAX_VALUE)) {
            tell("org", Map.of(epoch, 0L));
        }
        tell("org", Map.of(5L, Position.MAX_N + 1));
        assertThat(stored()).isZero();

        WiredHubs.Wire again = victim.connect(hub);
        wired.settle();
        String row = victim.write(AgentTables.CONTEXT_LOG);
        again.nudge();
        wired.settle();

        assertThat(hub.ids(AgentTables.CONTEXT_LOG)).contains(row);
        long now =
                victim.database
                        .read(db -> db.first("SELECT pos FROM feed_clock", r -> r.number(1)))
                        .orElseThrow();
        assertThat(now).isPositive();
    }

    @Test
    void a_host_of_another_org_tells_nothing_and_one_of_the_same_org_does() {
        tell("other", Map.of(5L, 1L));
        assertThat(stored()).isZero();
        tell("org", Map.of(5L, 1L));
        assertThat(stored()).isOne();
    }

    private void tell(String org, Map<Long, Long> seen) {
        SyncConnection deaf =
                new SyncConnection() {
                    @Override
                    public void send(Message message) {}

                    @Override
                    public void close(String reason) {}
                };
        HubLink link =
                hub.sync.open(
                        new Principal.Host(new OrgId(org), new HostId(MALLORY)),
                        deaf,
                        Runnable::run);
        link.onMessage(new Message.CatchUp(MALLORY, 1, 1, 1, 0, 0, Map.of()));
        link.onMessage(
                new Message.CatchUp(
                        MALLORY, 1, 1, 1, 0, 0, Map.of(victim.self.id().value(), seen)));
        link.onClosed();
    }

    private long stored() {
        return hub.database
                .read(
                        db ->
                                db.first(
                                        "SELECT count(*) FROM seen WHERE host_id = ?",
                                        row -> row.number(1),
                                        victim.self.id().value()))
                .orElseThrow();
    }
}
