package dev.skep.browser.demo;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.AgentStore;
import dev.skep.agents.AgentTables;
import dev.skep.agents.Notification;
import dev.skep.agents.NotificationStore;
import dev.skep.agents.cost.Cost;
import dev.skep.agents.cost.CostStore;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.LogStore;
import dev.skep.agents.session.RunSession;
import dev.skep.agents.session.SessionKey;
import dev.skep.agents.session.SessionStore;
import dev.skep.directory.HostTable;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRows;
import dev.skep.store.feed.SyncTables;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private final Random random = new Random(7);
    private final Map<String, OwnRows> byHost = new HashMap<>();

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
    }

    private OwnRows of(String host) {
        return byHost.computeIfAbsent(host, h -> new OwnRows(tables, feed, org, new HostId(h)));
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
                                                        host.id(),
                                                        host.name(),
                                                        "runner",
                                                        null,
                                                        null,
                                                        0L,
                                                        null,
                                                        null,
                                                        at,
                                                        at)));
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
        new AgentStore(database, of(host.id()), clock).put(agent);
        String state = DemoPlan.STATES.get(number % DemoPlan.STATES.size());
        boolean limited = number % 3 != 1;
        new NotificationStore(database, of(host.id()), clock)
                .tell(
                        new Notification(
                                agent.id(),
                                null,
                                null,
                                now.minusSeconds(random.nextInt(4_000)),
                                AgentStatus.of(state),
                                state.equals("over_budget")
                                        ? Long.valueOf(0)
                                        : limited ? 1_200_000L + random.nextInt(4_000_000) : null));
        history(agent, host, number, state);
        return agent;
    }

    private static String config(String name, int number) {
        return """
        username: %s
        title: %s
        model: %s
        prompt: |
          You keep the %s in order. Report by mail to ${agent.lead}.
        spend_limit: 5.00
        wake_on_mail: true
        protection: manual
        """
                .formatted(
                        name,
                        DemoPlan.TITLES.get(number % DemoPlan.TITLES.size()),
                        DemoPlan.MODELS.get(number % DemoPlan.MODELS.size()),
                        number % 2 == 0 ? "release branch" : "search index");
    }

    private void history(Agent agent, DemoHost host, int number, String state) {
        OwnRows own = of(host.id());
        var sessions = new SessionStore(database, own);
        var costs = new CostStore(database, own);
        var logs = new LogStore(database, own);
        String model = DemoPlan.MODELS.get(number % DemoPlan.MODELS.size());
        Instant now = clock.instant();
        String run = ids.next();
        write(
                transaction -> {
                    for (int day = 29; day >= 0; day--) {
                        spend(transaction, costs, agent, run, model, now, day, number);
                    }
                    SessionKey first = new SessionKey(agent.id(), run, 1);
                    sessions.put(
                            transaction,
                            new RunSession(
                                    first,
                                    model,
                                    null,
                                    1_840 + number * 31L,
                                    2_310_000L + number * 91_000L,
                                    now.minus(Duration.ofHours(30)),
                                    now.minus(Duration.ofHours(6)),
                                    "compacted"));
                    SessionKey second = first.next();
                    List<LogEntry> lines = lines(second, number);
                    logs.append(transaction, lines);
                    boolean ended = state.equals("stopped") || state.equals("failed");
                    sessions.put(
                            transaction,
                            new RunSession(
                                    second,
                                    model,
                                    lines.getLast().id(),
                                    lines.size(),
                                    412_000L + number * 17_300L,
                                    now.minus(Duration.ofHours(6)),
                                    now.minusSeconds(20L + number * 37L),
                                    ended
                                            ? (state.equals("failed") ? "failed" : "complete")
                                            : null));
                });
    }

    private void spend(
            Transaction transaction,
            CostStore costs,
            Agent agent,
            String run,
            String model,
            Instant now,
            int day,
            int number) {
        int calls = 1 + random.nextInt(3);
        for (int i = 0; i < calls; i++) {
            long input = 2_000L + random.nextInt(30_000);
            costs.append(
                    transaction,
                    new Cost(
                            ids.next(),
                            new SessionKey(agent.id(), run, 1),
                            "turn",
                            model,
                            20_000L + (long) random.nextInt(180_000) * (1 + number % 4),
                            input,
                            200 + random.nextInt(2_000),
                            random.nextInt(2_000),
                            input / 2,
                            now.minus(Duration.ofDays(day)).minusSeconds(random.nextInt(30_000))));
        }
    }

    private List<LogEntry> lines(SessionKey session, int number) {
        List<LogEntry> lines = new ArrayList<>();
        Instant at = clock.instant().minus(Duration.ofMinutes(200));
        for (int turn = 0; turn < 40; turn++) {
            for (DemoTurn.Said said : DemoTurn.of(number, turn)) {
                at = at.plusSeconds(1 + random.nextInt(40));
                lines.add(entry(session, said, at));
            }
        }
        return lines;
    }

    private LogEntry entry(SessionKey session, DemoTurn.Said said, Instant at) {
        return new LogEntry(
                ids.next(), session, said.role(), said.source(), said.type(), said.text(), at);
    }

    /** Adds lines to a session, as its agent goes on. */
    void say(String host, SessionKey session, List<DemoTurn.Said> said) {
        Instant now = clock.instant();
        write(
                transaction ->
                        new LogStore(database, of(host))
                                .append(
                                        transaction,
                                        said.stream().map(s -> entry(session, s, now)).toList()));
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
                                    id,
                                    from.id().value(),
                                    subject,
                                    body,
                                    null,
                                    time,
                                    time);
                    for (int i = 0; i < to.size(); i++) {
                        Agent reader = to.get(i);
                        of(from.host().value())
                                .put(
                                        transaction,
                                        AgentTables.MAIL_RECIPIENTS,
                                        ids.next(),
                                        id,
                                        reader.id().value(),
                                        i == 0 ? "to" : "cc",
                                        time,
                                        time);
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
                        ids.next(),
                        message,
                        reader.id().value(),
                        readAt,
                        null,
                        readAt,
                        readAt);
    }

    private void write(Consumer<Transaction> work) {
        database.write(
                transaction -> {
                    work.accept(transaction);
                    return true;
                });
    }
}
