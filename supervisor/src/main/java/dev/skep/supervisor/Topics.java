package dev.skep.supervisor;

import dev.skep.agents.view.MailPageStore;
import dev.skep.agents.view.SessionPageStore;
import dev.skep.supervisor.live.Topic;
import dev.skep.supervisor.source.Sources;
import dev.skep.supervisor.view.AttentionList;
import dev.skep.supervisor.view.DispatchReader;
import dev.skep.supervisor.view.FleetReader;
import dev.skep.supervisor.view.FleetTotals;
import dev.skep.supervisor.view.HistoryReader;
import dev.skep.supervisor.view.Spending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The lists that pages can watch, and what changes them; of a long history, its newest part. */
final class Topics {
    private static final int WINDOW = 300;
    private static final int NEWEST = 100;
    private static final int DECIDED = 50;

    /** Sums of everything change with everything. */
    private static final Duration SUMS = Duration.ofSeconds(1);

    /** Whether hosts are there, and with them what lives on them. */
    private static final Set<String> PRESENCE = Set.of("hosts", "host_health", "links");

    private static final Set<String> MAIL =
            Set.of("mail_messages", "mail_recipients", "mail_status", "users", "hosts");

    private static final Set<String> WORK = Set.of("jobs", "job_runs");

    private static final Set<String> AGENTS =
            also(PRESENCE, "users", "user_notifications", "run_session", "costs");

    /** Whatever is written on a runner waits for its hubs. */
    private static final Set<String> SYNCED =
            also(union(AGENTS, MAIL), "context_log", "nodes", "connections", "stats");

    private final Sources sources;
    private final FleetReader fleet;
    private final HistoryReader history;
    private final List<Topic> topics = new ArrayList<>();

    private Topics(Sources sources, FleetReader fleet, HistoryReader history) {
        this.sources = sources;
        this.fleet = fleet;
        this.history = history;
    }

    static List<Topic> of(
            Sources sources,
            FleetReader fleet,
            HistoryReader history,
            Optional<DispatchReader> dispatch,
            FleetTotals totals,
            AttentionList attention) {
        var all = new Topics(sources, fleet, history);
        all.sums(totals, attention);
        all.agents();
        dispatch.ifPresent(reader -> all.topics.addAll(reader.topics()));
        all.links();
        return all.topics;
    }

    private void sums(FleetTotals totals, AttentionList attention) {
        Set<String> everything =
                also(union(union(AGENTS, MAIL), WORK), "alerts", "approvals", "nodes");
        topics.add(new Topic("fleet", everything, SUMS, totals::of, attention::validUntil));
        topics.add(
                new Topic(
                        "attention",
                        also(union(AGENTS, WORK), "alerts", "approvals"),
                        attention::of,
                        attention::validUntil));
    }

    private void agents() {
        // Sums are queried by the pages; this counter says when to query again.
        var stored = new AtomicLong();
        topics.add(
                new Topic(
                        "hosts",
                        also(PRESENCE, "users", "user_notifications"),
                        fleet::hosts,
                        fleet::validUntil));
        topics.add(new Topic("agents", union(AGENTS, MAIL), fleet::agents, fleet::validUntil));
        topics.add(
                new Topic(
                        "sessions",
                        also(PRESENCE, "run_session", "users"),
                        who ->
                                history.sessions(
                                        who, SessionPageStore.Filter.ALL, Optional.empty(), WINDOW),
                        fleet::validUntil));
        topics.add(
                new Topic(
                        "mail",
                        MAIL,
                        who ->
                                history.mail(
                                        who, MailPageStore.Filter.ALL, Optional.empty(), WINDOW)));
        topics.add(
                new Topic(
                        "costs",
                        Set.of("costs"),
                        SUMS,
                        _ -> List.of(new Spending("costs", stored.incrementAndGet())),
                        _ -> Optional.empty()));
        sources.approvals()
                .ifPresent(
                        a ->
                                topics.add(
                                        new Topic(
                                                "approvals",
                                                also(AGENTS, "approvals"),
                                                who -> fleet.approvals(who, a, DECIDED))));
        topics.add(
                new Topic(
                        "nodes",
                        also(PRESENCE, "nodes", "stats"),
                        fleet::nodes,
                        fleet::validUntil));
    }

    private void links() {
        Set<String> moved = also(SYNCED, "hub_sync_state", "sync_quarantine");
        sources.links()
                .ifPresent(
                        l -> {
                            topics.add(new Topic("links", moved, l::all));
                            topics.add(
                                    new Topic(
                                            "quarantine",
                                            Set.of("sync_quarantine"),
                                            who -> l.quarantine(who, NEWEST)));
                            topics.add(
                                    new Topic(
                                            "connections",
                                            Set.of("host_connections", "links"),
                                            who -> l.connections(who, Optional.empty(), WINDOW)));
                        });
    }

    private static Set<String> also(Set<String> some, String... more) {
        return union(some, Set.of(more));
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        return Stream.concat(some.stream(), others.stream())
                .collect(Collectors.toUnmodifiableSet());
    }
}
