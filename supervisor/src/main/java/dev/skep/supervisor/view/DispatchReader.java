package dev.skep.supervisor.view;

import dev.skep.dispatch.alert.AlertDetails;
import dev.skep.dispatch.alert.AlertStore;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.hold.HoldView;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.output.OutputStore;
import dev.skep.dispatch.server.ServerStore;
import dev.skep.dispatch.view.JobFilter;
import dev.skep.dispatch.view.JobQueries;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.live.Topic;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Jobs, servers and alerts of a hub's database, whatever queue engine is used: runs are recorded in
 * SQL.
 */
public final class DispatchReader {
    /** More servers than a page could list. */
    private static final int ALL = 100_000;

    private static final int WINDOW = 300;
    private static final int NEWEST = 100;
    private static final String LAST = "~";

    private final Database database;
    private final FleetReader fleet;
    private final OutputStore output = new OutputStore();
    private final ServerStore servers = new ServerStore();
    private final AlertStore alerts = new AlertStore();
    private final WebhookStore webhooks = new WebhookStore();
    private final DeliveryStore deliveries = new DeliveryStore();

    public DispatchReader(Database database, FleetReader fleet) {
        this.database = database;
        this.fleet = fleet;
    }

    /**
     * The lists that pages can watch, and what changes them; of a long history, its newest part.
     */
    public List<Topic> topics() {
        return List.of(
                new Topic(
                        "jobs",
                        Set.of("jobs", "job_runs"),
                        who -> jobs(who, JobFilter.newest(WINDOW))),
                new Topic(
                        "hold",
                        Set.of("org_holds", "host_holds", "host_health", "links", "users"),
                        who -> hold(who).stream().toList()),
                new Topic(
                        "servers",
                        Set.of("server_instances", "hosts", "host_health", "links"),
                        this::servers,
                        fleet::validUntil),
                new Topic(
                        "alerts",
                        Set.of("alerts", "hosts", "users"),
                        who -> alerts(who, Optional.empty(), WINDOW)),
                new Topic(
                        "deliveries",
                        Set.of("deliveries", "webhooks"),
                        who -> deliveries(who, NEWEST)));
    }

    /** What stops all agents; empty where nothing does. */
    public Optional<HoldRow> hold(Principal who) {
        Set<String> there = fleet.hostsThere(who);
        Map<String, Integer> agents =
                fleet.agents(who).stream()
                        .filter(AgentSelection::isAgent)
                        .collect(
                                Collectors.groupingBy(
                                        AgentView::host, Collectors.summingInt(_ -> 1)));
        return HoldRow.of(
                database.read(
                        snapshot ->
                                HoldView.read(
                                        snapshot,
                                        who,
                                        agents,
                                        host -> there.contains(host.value()))));
    }

    public List<JobView> jobs(Principal who, JobFilter filter) {
        return database.read(snapshot -> JobQueries.list(snapshot, who, filter)).stream()
                .map(JobView::of)
                .toList();
    }

    /** How many jobs there are in each state, of one host or of all. */
    public Map<String, Long> jobCounts(Principal who, Optional<String> host) {
        return database.read(snapshot -> JobQueries.counts(snapshot, who, host));
    }

    public Optional<JobView.Detail> job(Principal who, String id) {
        return database.read(
                snapshot ->
                        JobQueries.find(snapshot, who, id)
                                .map(
                                        job ->
                                                JobView.Detail.of(
                                                        job, JobQueries.runs(snapshot, who, id))));
    }

    /** What a run printed after a piece, in order. */
    public List<OutputLine> output(Principal who, String run, long after, int limit) {
        return database
                .read(snapshot -> output.after(snapshot, who, new RunId(run), after, limit))
                .stream()
                .map(OutputLine::of)
                .toList();
    }

    /** As their hosts reported them: what runs on a host that does not answer is unknown. */
    public List<ServerView> servers(Principal who) {
        Set<String> there = fleet.hostsThere(who);
        return database.read(snapshot -> servers.list(snapshot, who, null, "", ALL)).stream()
                .map(
                        server ->
                                ServerView.of(
                                        server,
                                        server.state().equals("running")
                                                        && !there.contains(server.hostId())
                                                ? FleetReader.UNREACHABLE
                                                : server.state()))
                .toList();
    }

    /** The newest alerts before an id, newest first, with the names of hosts for their ids. */
    public List<AlertDetails> alerts(Principal who, Optional<String> before, int limit) {
        return named(
                who,
                database.read(
                        snapshot ->
                                alerts.newest(snapshot, who.org(), before.orElse(LAST), limit)));
    }

    /** Likewise, only those that are open. */
    public List<AlertDetails> openAlerts(Principal who, Optional<String> before, int limit) {
        return named(
                who,
                database.read(
                        snapshot ->
                                alerts.newestOpen(
                                        snapshot, who.org(), before.orElse(LAST), limit)));
    }

    private List<AlertDetails> named(Principal who, List<AlertDetails> read) {
        DisplayNames names = DisplayNames.of(fleet, who);
        return read.stream()
                .map(alert -> alert.withMessage(names.replaceIds(alert.message())))
                .toList();
    }

    /** The newest messages to all webhooks, newest first. */
    public List<DeliveryView> deliveries(Principal who, int limit) {
        return database.read(
                snapshot ->
                        webhooks.all(snapshot, who.org()).stream()
                                .flatMap(
                                        hook ->
                                                deliveries
                                                        .latest(
                                                                snapshot, who.org(), hook.id(),
                                                                limit)
                                                        .stream()
                                                        .map(d -> DeliveryView.of(d, hook.name())))
                                .sorted(Comparator.comparing(DeliveryView::id).reversed())
                                .limit(limit)
                                .toList());
    }
}
