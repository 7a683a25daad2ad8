package dev.skep.sync.module;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.directory.host.JoinedHub;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.SyncTables;
import dev.skep.sync.PeerSyncStatus;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.sql.SyncReports;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a host says of its hubs while no process keeps the links. */
class HubSyncStatusReaderTest {
    private static final String OLD = "01HVB0000000000000000000AA";
    private static final String NEW = "01HVB0000000000000000000BB";
    private static final String TIME = "2027-01-01T00:00:00.000000Z";
    private static final Principal.Host SELF =
            new Principal.Host(new OrgId("default"), new HostId("01HST0000000000000000000AA"));

    @TempDir Path folder;
    private Database database;
    private SyncReports reports;

    @BeforeEach
    void open() {
        database =
                Databases.open(
                        new DatabaseUrl.Sqlite(folder.resolve("runner.db")),
                        InstantSource.system());
        List<SyncTable> tables = new ArrayList<>(List.of(HostTable.HOSTS));
        tables.addAll(AgentTables.ALL);
        reports = new SyncReports(database, SyncSchema.of(new SyncTables(tables), 1));
        host(OLD, OLD, 1);
        host(NEW, NEW, 2);
        host(SELF.id().value(), SELF.id().value(), 3);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void host(String id, String owner, long feed) {
        database.write(
                tx ->
                        tx.update(
                                """
                                INSERT INTO hosts (id, name, kind, org_id, host_id, ver, feed, created_at, updated_at)
                                VALUES (?, ?, 'hub', ?, ?, ?, ?, ?, ?)
                                """,
                                id,
                                id,
                                SELF.org().value(),
                                owner,
                                feed,
                                feed,
                                TIME,
                                TIME));
    }

    private void pulled(String hub, long position) {
        database.write(
                tx ->
                        tx.update(
                                "INSERT INTO hub_sync_state (id, pulled, updated_at) VALUES (?, ?, ?)",
                                hub,
                                position,
                                TIME));
    }

    private static JoinedHub joined(String id) {
        return new JoinedHub("https://hub:4280", id, 1, Optional.empty());
    }

    @Test
    void a_hub_that_got_a_new_key_is_one_hub_with_what_the_new_one_lacks() {
        pulled(OLD, 3);
        pulled(NEW, 0);
        assertThat(reports.peers(SELF)).as("two are remembered").hasSize(2);

        List<PeerSyncStatus> hubs =
                HubSyncStatusReader.stopped(SELF, List.of(joined(NEW)), reports);

        assertThat(hubs).extracting(PeerSyncStatus::name).containsExactly("https://hub:4280");
        assertThat(hubs.getFirst().lag()).isEqualTo(1);
        assertThat(hubs.getFirst().state()).isEqualTo("away");
    }

    @Test
    void rows_that_the_hub_confirmed_do_not_wait() {
        pulled(NEW, 3);
        assertThat(
                        HubSyncStatusReader.stopped(SELF, List.of(joined(NEW)), reports)
                                .getFirst()
                                .lag())
                .isZero();
    }
}
