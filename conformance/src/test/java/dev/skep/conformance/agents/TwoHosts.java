package dev.skep.conformance.agents;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.agents.AgentTables;
import dev.skep.agents.mail.MailReader;
import dev.skep.agents.mail.MailStore;
import dev.skep.directory.HostTable;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.store.feed.SyncTables;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One database that holds the agents of host-1, which is this one, and of host-2. */
final class TwoHosts implements AutoCloseable {
    static final OrgId ORG = new OrgId("01ORG0000000000000000000AA");
    static final HostId ONE = new HostId("01HST0000000000000000000AA");
    static final HostId TWO = new HostId("01HST0000000000000000000BB");
    static final Principal LOCAL = new Principal.Local(ORG);

    final SettableClock time = SettableClock.atNewYear();
    final UlidSource ids = new UlidSource(time, new Random(3));
    final Database database;
    final OwnRowWriter own;
    final OwnRowWriter ownOfTwo;
    final AgentStore agents;
    final MailStore mail;
    final MailReader reader;
    private final AgentStore agentsOfTwo;

    TwoHosts(TestDatabase kind, Path folder) {
        database = Databases.open(kind.create(folder), time);
        List<SyncTable> all = new ArrayList<>(AgentTables.ALL);
        all.add(HostTable.HOSTS);
        SyncTables tables = new SyncTables(all);
        FeedClock clock = new FeedClock(time, new Random(7));
        clock.start(database);
        own = new OwnRowWriter(tables, clock, ORG, ONE);
        ownOfTwo = new OwnRowWriter(tables, clock, ORG, TWO);
        agents = new AgentStore(database, own, time);
        agentsOfTwo = new AgentStore(database, ownOfTwo, time);
        mail = new MailStore(database, own, agents, ids, time);
        reader = new MailReader(database);
        host(own, ONE, "host-1");
        host(ownOfTwo, TWO, "host-2");
    }

    private void host(OwnRowWriter ownRowWriter, HostId id, String name) {
        String now = "2027-01-01T00:00:00.000000Z";
        database.write(
                tx -> {
                    ownRowWriter.put(
                            tx,
                            HostTable.HOSTS,
                            HostTable.HOSTS.values(
                                    "id, name, kind, name_conflict, created_at, updated_at",
                                    id.value(),
                                    name,
                                    "runner",
                                    0L,
                                    now,
                                    now));
                    return true;
                });
    }

    Agent agent(HostId host, String username, boolean nameConflict) {
        Agent agent =
                new Agent(
                        new AgentId(ids.next()),
                        host,
                        host.equals(ONE) ? "host-1" : "host-2",
                        username,
                        null,
                        Agent.Kind.AGENT,
                        null,
                        null,
                        null,
                        nameConflict,
                        null,
                        time.instant());
        (host.equals(ONE) ? agents : agentsOfTwo).put(agent);
        return agent;
    }

    static Principal.Agent principal(Agent agent) {
        return new Principal.Agent(ORG, agent.id(), agent.host());
    }

    @Override
    public void close() {
        database.close();
    }
}
