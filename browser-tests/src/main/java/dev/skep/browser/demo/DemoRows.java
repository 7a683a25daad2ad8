package dev.skep.browser.demo;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.AgentStore;
import dev.skep.agents.AgentTables;
import dev.skep.agents.Notification;
import dev.skep.agents.NotificationStore;
import dev.skep.agents.cost.Cost;
import dev.skep.agents.cost.CostStore;
import dev.skep.agents.session.LogStore;
import dev.skep.agents.session.SessionKey;
import dev.skep.agents.version.AgentVersion;
import dev.skep.agents.version.AgentVersionStore;
import dev.skep.directory.HostTable;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.store.feed.SyncTables;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes rows as the hosts of the fleet would. */
final class DemoRows {
    private final Database database;
    private final SyncTables tables;
    private final FeedClock feed;
    private final OrgId org;
    private final UlidSource ids;
    private final InstantSource clock;
    private final DemoHistory history;
    private final Map<String, OwnRowWriter> byHost = new HashMap<>();
    private @Nullable Agent pending;

    DemoRows(
            Database database,
            SyncTables tables,
            FeedClock feed,
            OrgId org,
            UlidSource ids,
            InstantSource clock) {
        this.database = database;
        this.tables = tables;
        this.feed = feed;
        this.org = org;
        this.ids = ids;
        this.clock = clock;
        this.history = new DemoHistory(database, ids, new Random(7));
    }

    private OwnRowWriter of(String host) {
        return byHost.computeIfAbsent(
                host, h -> new OwnRowWriter(tables, feed, org, new HostId(h)));
    }

    void hosts(List<DemoHost> hosts) {
        String at = Timestamps.format(clock.instant().minus(Duration.ofDays(40)));
        write(
                transaction ->
                        hosts.forEach(
                                host ->
                                        of(host.id())
                                                .put(
                                                        transaction,
                                                        HostTable.HOSTS,
                                                        HostTable.HOSTS.values(
                                                                "id, name, kind, name_conflict, created_at, updated_at",
                                                                host.id(),
                                                                host.name(),
                                                                "runner",
                                                                0L,
                                                                at,
                                                                at))));
    }

    void nodes(List<DemoHost> hosts) {
        write(transaction -> new DemoRoster(this::of, clock.instant()).write(transaction, hosts));
    }

    /** An agent with its state, a session, a log and a month of costs. */
    Agent agent(DemoHost host, int number) {
        Instant now = clock.instant();
        String name = DemoPlan.persona(number);
        Agent agent =
                new Agent(
                        new AgentId(ids.next()),
                        new HostId(host.id()),
                        host.name(),
                        number == 13 ? "ada" : name,
                        DemoPlan.TITLES.get(number % DemoPlan.TITLES.size()),
                        Agent.Kind.AGENT,
                        "agents/" + name + ".yaml",
                        null,
                        config(name, number),
                        number == 13,
                        null,
                        now.minus(Duration.ofDays(30)));
        versions(agent).store(agent, config(name, number), text -> text, Optional.empty());
        if (number == 1) {
            pending = agent;
        }
        String state = DemoPlan.state(number);
        boolean asks = state.equals("awaiting_approval");
        Instant active =
                host.isThere()
                        ? now.minusSeconds(asks ? DemoApprovals.ASKED_BEFORE : 20L + number * 37L)
                        : now.minus(DemoHealth.AWAY).minusSeconds(number);
        var subject =
                new DemoHistory.Subject(
                        agent,
                        of(host.id()),
                        number,
                        DemoPlan.MODELS.get(number % DemoPlan.MODELS.size()),
                        state,
                        active);
        long today = database.write(transaction -> history.of(transaction, subject));
        new NotificationStore(database, of(host.id()), clock)
                .add(
                        new Notification(
                                agent.id(),
                                null,
                                null,
                                active,
                                AgentStatus.of(state),
                                isLimited(number) ? DemoHistory.left(today) : null,
                                null));
        return agent;
    }

    /** The same agent with another file. */
    void configure(Agent agent, String config) {
        versions(agent).store(agent.withConfig(config), config, text -> text, Optional.empty());
    }

    private AgentVersionStore versions(Agent agent) {
        OwnRowWriter own = of(agent.host().value());
        return new AgentVersionStore(database, own, new AgentStore(database, own, clock), clock);
    }

    Optional<AgentVersion> newest(Agent agent) {
        return versions(agent).newest(new Principal.Local(org), agent.id());
    }

    /** An agent whose host has a change of it before it. */
    Optional<Agent> pendingAgent() {
        return Optional.ofNullable(pending);
    }

    /** What the agents have said so far. */
    void writeLog() {
        history.writeLog();
    }

    /** The agent's host says that it cannot go on, and why. */
    void fail(Agent agent, String why) {
        new NotificationStore(database, of(agent.host().value()), clock)
                .add(
                        new Notification(
                                agent.id(),
                                null,
                                null,
                                clock.instant(),
                                AgentStatus.FAILED,
                                null,
                                why));
    }

    /** Most have a limit, and those that used theirs up. */
    private static boolean isLimited(int number) {
        return number % 3 != 1 || DemoPlan.state(number).equals("over_budget");
    }

    private static String config(String name, int number) {
        return """
        username: %s
        title: %s
        model: %s
        %sprompt: |
          You keep the %s in order. Report by mail to ${agent.lead}.
        %swake_on_mail: true
        protection: manual
        """
                .formatted(
                        name,
                        DemoPlan.TITLES.get(number % DemoPlan.TITLES.size()),
                        DemoPlan.MODELS.get(number % DemoPlan.MODELS.size()),
                        runtime(number),
                        number % 2 == 0 ? "release branch" : "search index",
                        isLimited(number) ? "spend_limit: 3.00\n" : "");
    }

    /** One agent is managed and metered, one has a subscription. */
    private static String runtime(int number) {
        return number == DemoManagedTurn.AGENT
                ? "runtime: claude\n"
                : number == 2 * DemoManagedTurn.AGENT ? "runtime: codex\nauth: login\n" : "";
    }

    /** Adds lines to a session, as its agent goes on. */
    void say(String host, SessionKey session, List<DemoTurn.Said> said) {
        Instant now = clock.instant();
        write(
                transaction ->
                        new LogStore(database, of(host))
                                .append(
                                        transaction,
                                        said.stream()
                                                .map(
                                                        s ->
                                                                DemoHistory.entry(
                                                                        ids.next(),
                                                                        session,
                                                                        s,
                                                                        now))
                                                .toList()));
    }

    /** Adds a cost to a session. */
    void spend(String host, SessionKey session, long micros) {
        Instant now = clock.instant();
        write(
                transaction ->
                        new CostStore(database, of(host))
                                .append(
                                        transaction,
                                        new Cost(
                                                ids.next(),
                                                session,
                                                "turn",
                                                DemoPlan.MODELS.getFirst(),
                                                micros,
                                                1_000,
                                                100,
                                                0,
                                                0,
                                                now)));
    }

    /** A message with its recipients; those that are marked have read it. */
    void mail(Agent from, List<Agent> to, String subject, String body, Instant at, boolean read) {
        String id = ids.next();
        String time = Timestamps.format(at);
        write(
                transaction -> {
                    of(from.host().value())
                            .put(
                                    transaction,
                                    AgentTables.MAIL_MESSAGES,
                                    AgentTables.MAIL_MESSAGES.values(
                                            "id, from_user_id, subject, body, created_at, updated_at",
                                            id,
                                            from.id().value(),
                                            subject,
                                            body,
                                            time,
                                            time));
                    for (int i = 0; i < to.size(); i++) {
                        Agent reader = to.get(i);
                        of(from.host().value())
                                .put(
                                        transaction,
                                        AgentTables.MAIL_RECIPIENTS,
                                        AgentTables.MAIL_RECIPIENTS.values(
                                                "id, message_id, user_id, type, created_at, updated_at",
                                                ids.next(),
                                                id,
                                                reader.id().value(),
                                                i == 0 ? "to" : "cc",
                                                time,
                                                time));
                        if (read || i % 2 == 1) {
                            status(transaction, reader, id, Timestamps.format(at.plusSeconds(95)));
                        }
                    }
                });
    }

    private void status(
            Transaction transaction, Agent reader, String message, @Nullable String readAt) {
        of(reader.host().value())
                .put(
                        transaction,
                        AgentTables.MAIL_STATUS,
                        AgentTables.MAIL_STATUS.values(
                                "id, message_id, user_id, read_at, created_at, updated_at",
                                ids.next(),
                                message,
                                reader.id().value(),
                                readAt,
                                readAt,
                                readAt));
    }

    private void write(Consumer<Transaction> work) {
        database.write(
                transaction -> {
                    work.accept(transaction);
                    return true;
                });
    }
}
