package dev.skep.agents.mail;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import dev.skep.store.feed.OwnRowWriter;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * The mailboxes of people at a hub: rows of this host, one for each person of an org, to which
 * agents write by the person's name. Thread-safe.
 */
public final class PersonMailboxes {
    private final Database database;
    private final Function<OrgId, OwnRowWriter> rows;
    private final HostId self;
    private final String selfName;
    private final UlidSource ids;
    private final InstantSource clock;
    private final ConcurrentMap<OrgId, OfOrg> orgs = new ConcurrentHashMap<>();

    private record OfOrg(AgentStore agents, MailStore mail) {}

    /**
     * Opens nothing yet.
     *
     * @param rows how this host writes rows of an org
     */
    public PersonMailboxes(
            Database database,
            Function<OrgId, OwnRowWriter> rows,
            HostId self,
            String selfName,
            UlidSource ids,
            InstantSource clock) {
        this.database = database;
        this.rows = rows;
        this.self = self;
        this.selfName = selfName;
        this.ids = ids;
        this.clock = clock;
    }

    private OfOrg of(OrgId org) {
        return orgs.computeIfAbsent(
                org,
                each -> {
                    OwnRowWriter own = rows.apply(each);
                    AgentStore agents = new AgentStore(database, own, clock);
                    return new OfOrg(agents, new MailStore(database, own, agents, ids, clock));
                });
    }

    /** How people of an org send mail. */
    public MailStore mail(OrgId org) {
        return of(org).mail();
    }

    /** The mailbox of a person, if there is one. */
    public Optional<Agent> find(OrgId org, String username) {
        return database.read(snapshot -> of(org).agents().mailbox(snapshot, username));
    }

    /** The mailbox of a person, made the first time. */
    public AgentId made(OrgId org, String username) {
        return of(org).agents().mailbox(username, () -> fresh(username)).id();
    }

    private Agent fresh(String username) {
        return new Agent(
                new AgentId(ids.next()),
                self,
                selfName,
                username,
                "Operator",
                Agent.Kind.OPERATOR,
                null,
                null,
                null,
                false,
                null,
                clock.instant());
    }
}
