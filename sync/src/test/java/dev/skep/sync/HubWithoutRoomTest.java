package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.skep.agents.AgentTables;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.sync.hub.HubLink;
import dev.skep.sync.hub.HubSync;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.wire.Message;
import dev.skep.wire.MessageRows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** A hub on a disk of 4 MB: hosts come back again and again, and a person reads the log. */
@Isolated("it reads what all of this process log")
class HubWithoutRoomTest {
    private static final InstantSource CLOCK = () -> Instant.parse("2027-01-01T00:00:00Z");
    private static final String AT = "2027-01-01T00:00:00.000000Z";
    private static final String MUCH = "x".repeat(2 << 20);

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.skep.sync");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private @TempDir Path disk;

    @BeforeEach
    void makeASmallDiskAndListen() throws Exception {
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=4m", "none", disk.toString()),
                "mounting a small disk needs root");
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void unmount() throws Exception {
        logger.detachAppender(log);
        logger.setLevel(null);
        run("umount", disk.toString());
    }

    @Test
    void a_full_disk_is_one_line_when_it_begins_and_one_when_it_is_over() throws Exception {
        try (Database database =
                Databases.open(new DatabaseUrl.Sqlite(disk.resolve("hub.db")), CLOCK)) {
            HubSync hub = hubOn(database);
            new Host("ALICE", hub).sends(1, "hello");
            Path ballast = Files.write(disk.resolve("ballast"), new byte[2 << 20]);

            for (int tries = 0; tries < 3; tries++) {
                assertThat(new Host("ALICE", hub).sends(2, MUCH))
                        .isEqualTo("the hub cannot store its rows: disk_full");
                new Host("BERT", hub).sends(2, MUCH);
            }
            assertThat(lines()).singleElement().asString().contains("disk_full").contains("hub.db");
            assertThat(log.list).allMatch(line -> line.getThrowableProxy() == null);

            Files.delete(ballast);
            assertThat(new Host("ALICE", hub).sends(2, MUCH)).isEmpty();
            new Host("BERT", hub).sends(2, "hello");
            assertThat(lines()).hasSize(2).last().asString().contains("stored again");
        }
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static HubSync hubOn(Database database) {
        FeedClock feed = new FeedClock(CLOCK, new Random(1));
        feed.start(database);
        SyncStore store =
                SqlSyncStore.ofHub(database, ProductTables.SCHEMA, feed, new EventBus(), CLOCK);
        return new HubSync(store, ProductTables.SCHEMA, SyncLimits.DEFAULT, CLOCK);
    }

    /** A host on a link of its own. */
    private static final class Host implements SyncConnection {
        private final String id;
        private final HubLink link;
        private final List<Message> received = new ArrayList<>();
        private String closed = "";

        Host(String name, HubSync hub) {
            id = "01HOST" + name;
            link =
                    hub.open(
                            new Principal.Host(new OrgId("org"), new HostId(id)),
                            this,
                            Runnable::run);
            for (int i = 0; i < 2; i++) {
                link.onMessage(
                        new Message.CatchUp(id, 1, 1, SyncSchema.PROTOCOL_MAX, 0, 0, Map.of()));
            }
        }

        /** Answers with a row; returns why the hub closed the link, empty if it did not. */
        String sends(long position, String title) {
            long asked = ((Message.SyncRequest) received.getLast()).reqId();
            var row =
                    new SyncRow(
                            id,
                            0,
                            position,
                            AgentTables.USERS.values(
                                    "id, username, title, kind, name_conflict, created_at, updated_at",
                                    id,
                                    id,
                                    title,
                                    "agent",
                                    0L,
                                    AT,
                                    AT),
                            null);
            MessageRows rows =
                    MessageRows.of(List.of(new TableRows(AgentTables.USERS, List.of(row))));
            link.onMessage(
                    new Message.SyncResponse(asked, id, rows, position, position, false, 0, false));
            link.onClosed();
            return closed;
        }

        @Override
        public void send(Message message) {
            received.add(message);
        }

        @Override
        public void close(String reason) {
            closed = reason;
        }
    }

    private static boolean run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    }
}
