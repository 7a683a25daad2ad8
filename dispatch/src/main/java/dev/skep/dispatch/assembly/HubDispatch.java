package dev.skep.dispatch.assembly;

import dev.skep.directory.secret.SealedSecrets;
import dev.skep.dispatch.alert.AlertConditionSource;
import dev.skep.dispatch.alert.AlertReconciler;
import dev.skep.dispatch.alert.AlertService;
import dev.skep.dispatch.alert.AlertStore;
import dev.skep.dispatch.alert.DeliverySender;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.EventWebhooks;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.budget.BudgetConditions;
import dev.skep.dispatch.budget.BudgetLender;
import dev.skep.dispatch.budget.SharedBudgetStore;
import dev.skep.dispatch.budget.SharedBudgets;
import dev.skep.dispatch.event.EventPublisher;
import dev.skep.dispatch.event.HubEvents;
import dev.skep.dispatch.event.OrgEvents;
import dev.skep.dispatch.hold.AgentCounts;
import dev.skep.dispatch.hold.OrgHolds;
import dev.skep.dispatch.host.HeartbeatReceiver;
import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.dispatch.host.HostSweeper;
import dev.skep.dispatch.host.RecentFailures;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.mailserver.MailServerStore;
import dev.skep.dispatch.notification.MailForPeople;
import dev.skep.dispatch.outgoing.AddressGuard;
import dev.skep.dispatch.outgoing.PinnedSocket;
import dev.skep.dispatch.output.OutputStore;
import dev.skep.dispatch.policy.JobPolicyStore;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.dispatch.queue.JobLongPoll;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.ledger.QueueDependencies;
import dev.skep.dispatch.queue.redis.RedisConnection;
import dev.skep.dispatch.queue.redis.RedisJobQueue;
import dev.skep.dispatch.queue.sql.SqlJobQueue;
import dev.skep.dispatch.routes.AlertRoutes;
import dev.skep.dispatch.routes.BudgetRoutes;
import dev.skep.dispatch.routes.EventRoutes;
import dev.skep.dispatch.routes.HoldRoutes;
import dev.skep.dispatch.routes.HostRoutes;
import dev.skep.dispatch.routes.JobPolicyRoutes;
import dev.skep.dispatch.routes.JobRoutes;
import dev.skep.dispatch.routes.MailServerRoutes;
import dev.skep.dispatch.routes.OrgSettingsRoutes;
import dev.skep.dispatch.routes.SecretRoutes;
import dev.skep.dispatch.routes.ServerRoutes;
import dev.skep.dispatch.routes.WorkerRoutes;
import dev.skep.dispatch.secret.SecretStore;
import dev.skep.dispatch.server.ServerStore;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.kernel.retry.Backoff;
import dev.skep.store.Database;
import dev.skep.store.clock.MachineClock;
import dev.skep.transport.route.Route;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Everything a hub does about hosts, servers and jobs. */
public final class HubDispatch implements Component {
    private static final Backoff BACKOFF =
            Backoff.full(Duration.ofSeconds(2), Duration.ofMinutes(10));
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** How often what a person may be told of is looked for. */
    private static final Duration FOR_PEOPLE = Duration.ofSeconds(3);

    private final Database database;
    private final AuditRecorder audit;
    private final Sources sources;
    private final DispatchConfig config;
    private final HostHealthStore hosts = new HostHealthStore();
    private final Stores stores = new Stores();
    private final AlertService alerts;
    private final SealedSecrets secrets;
    private final DeliverySender deliverySender;
    private final TellingPeople tellingPeople;
    private final Optional<RedisConnection> redis;
    private final JobQueue queue;
    private final JobLongPoll jobLongPoll;
    private final OrgHolds holds;
    private final HeartbeatReceiver beats;
    private final EventPublisher eventPublisher;
    private final EventWebhooks forEvents;
    private final HubEvents hubEvents;
    private final BudgetLender lender;
    private final List<Component> running = new ArrayList<>();
    private final HostSweeper hostSweeper;
    private final EventBus.Subscription subscription;

    /**
     * What the machine gives: time, ids, randomness.
     *
     * @param clock for people
     * @param steady for leases, timeouts and heartbeats
     * @param hub the id of this hub
     */
    public record Sources(
            UlidSource ids,
            InstantSource clock,
            InstantSource steady,
            SecureRandom random,
            String hub) {}

    /** One that knows of no agents. */
    public HubDispatch(
            Database database,
            EventBus eventBus,
            AuditRecorder audit,
            Sources sources,
            DispatchConfig config) {
        this(database, eventBus, audit, _ -> Map.of(), _ -> true, sources, config);
    }

    public HubDispatch(
            Database database,
            EventBus eventBus,
            AuditRecorder audit,
            AgentCounts agents,
            Predicate<HostId> there,
            Sources sources,
            DispatchConfig config) {
        this.database = database;
        this.audit = audit;
        this.sources = sources;
        this.config = config;
        InstantSource clock = sources.clock();
        this.tellingPeople =
                new TellingPeople(
                        database, stores.webhooks, stores.deliveries, config.redact(), sources);
        this.alerts =
                new AlertService(
                        stores.alerts,
                        stores.webhooks,
                        stores.deliveries,
                        tellingPeople.listener(),
                        tellingPeople.links(),
                        sources.ids(),
                        clock);
        this.secrets = SealedSecrets.open(config.secretsKey(), sources.random());
        this.redis = config.queueUrl().map(RedisConnection::open);
        this.eventPublisher = new EventPublisher(eventBus, sources.ids(), clock);
        this.forEvents =
                new EventWebhooks(
                        database,
                        stores.webhooks,
                        stores.deliveries,
                        eventPublisher,
                        sources.ids(),
                        clock);
        this.hubEvents = new HubEvents(database, eventPublisher, forEvents, clock);
        QueueDependencies queueDependencies =
                new QueueDependencies(
                        database,
                        clock,
                        sources.steady(),
                        sources.ids(),
                        new RunRules(BACKOFF, sources.random()),
                        config.queue(),
                        audit,
                        eventPublisher,
                        alerts);
        this.queue =
                redis.<JobQueue>map(
                                redisConnection ->
                                        new RedisJobQueue(queueDependencies, redisConnection))
                        .orElseGet(() -> new SqlJobQueue(queueDependencies));
        this.jobLongPoll = new JobLongPoll(queue, clock);
        this.lender =
                new BudgetLender(database, stores.budgets, sources.ids(), MachineClock.open(clock));
        this.holds = new OrgHolds(database, agents, there, audit, sources.ids(), clock);
        RecentFailures failures = new RecentFailures();
        this.beats =
                new HeartbeatReceiver(
                        database,
                        hosts,
                        config.rules(),
                        failures,
                        alerts,
                        eventPublisher,
                        clock,
                        sources.steady());
        this.hostSweeper =
                new HostSweeper(
                        database,
                        hosts,
                        config.rules(),
                        alerts,
                        eventPublisher,
                        clock,
                        sources.steady());
        this.subscription =
                eventBus.subscribe(
                        event -> {
                            failures.onEvent(event);
                            hubEvents.onEvent(event);
                        });
        this.deliverySender =
                new DeliverySender(
                        database,
                        stores.deliveries,
                        stores.webhooks,
                        secrets,
                        new PinnedSocket(new AddressGuard(config.privateWebhooks())),
                        sources.random(),
                        clock,
                        sources.steady());
        running.add(lender);
        running.add(hubEvents);
        running.add(queue);
        running.add(holds);
        running.add(beats);
        running.add(new PeriodicTask("job-sweep", SECOND, queue::sweep));
        running.add(new PeriodicTask("host-sweep", Duration.ofSeconds(5), this::sweepHosts));
        running.add(new PeriodicTask("notices", SECOND, tellingPeople::tell));
        running.add(new PeriodicTask("deliveries", SECOND, deliverySender::sendAll));
    }

    private static final class Stores {
        private final ServerStore servers = new ServerStore();
        private final OutputStore output = new OutputStore();
        private final JobPolicyStore policies = new JobPolicyStore();
        private final AlertStore alerts = new AlertStore();
        private final WebhookStore webhooks = new WebhookStore();
        private final DeliveryStore deliveries = new DeliveryStore();
        private final SecretStore secrets = new SecretStore();
        private final SharedBudgetStore budgets = new SharedBudgetStore();
    }

    @Override
    public void start() {
        hostSweeper.backfill();
        forEvents.refreshInterest();
        running.forEach(Component::start);
    }

    @Override
    public void close() {
        subscription.close();
        running.reversed().forEach(Component::close);
        redis.ifPresent(RedisConnection::close);
    }

    /** Where people reach the pages, for the links of messages. */
    public void reachedAt(String publicUrl) {
        tellingPeople.links().reachedAt(publicUrl);
    }

    /** Tables were written to, by whatever process; none named means any. */
    public void written(Set<String> tables) {
        tellingPeople.written(tables);
    }

    /** For a feature that keeps the mail of people: looks for new mail once started. */
    public Component watchingMail(MailForPeople mail) {
        return new PeriodicTask(
                "mail for people", FOR_PEOPLE, () -> tellingPeople.lookForMail(mail));
    }

    private int sweepHosts() {
        beats.resize();
        return hostSweeper.sweep();
    }

    /**
     * Closed before the listener: ends event streams and waiting polls, for which the listener
     * would wait.
     */
    public AutoCloseable openAnswers() {
        return () -> {
            hubEvents.streams().close();
            jobLongPoll.close();
            tellingPeople.close();
            holds.endWaiting();
        };
    }

    public JobQueue queue() {
        return queue;
    }

    /** For features that report conditions to people: checks every few seconds once started. */
    public Component watching(List<AlertConditionSource> alertConditionSource) {
        List<AlertConditionSource> all = new ArrayList<>(alertConditionSource);
        all.add(BudgetConditions.nearlySpent(lender));
        all.add(BudgetConditions.spent(lender));
        return watching("troubles", Duration.ofSeconds(10), all);
    }

    /** Likewise, for conditions that somebody waits to be told of. */
    public Component watchingClosely(List<AlertConditionSource> alertConditionSource) {
        return watching("waiting for people", FOR_PEOPLE, alertConditionSource);
    }

    private Component watching(
            String name, Duration every, List<AlertConditionSource> alertConditionSource) {
        var alertReconciler =
                new AlertReconciler(
                        database, alerts, stores.alerts, alertConditionSource, sources.clock());
        return new PeriodicTask(name, every, alertReconciler::reconcile);
    }

    /** Deletes old rows of its tables. */
    public FinishedJobs finished() {
        return new FinishedJobs(database);
    }

    /** What holds all agents of an org. */
    public OrgHolds holds() {
        return holds;
    }

    public OrgEvents events() {
        return hubEvents.streams();
    }

    public List<Route> routes() {
        InstantSource clock = sources.clock();
        var mailServers = new MailServerStore(secrets);
        var forRoutes = new AlertRoutes.Sources(sources.ids(), clock, sources.random());
        Stream<Route.Source> all =
                Stream.of(
                        new HostRoutes(
                                database,
                                hosts,
                                stores.servers,
                                beats,
                                audit,
                                clock,
                                sources.steady()),
                        new ServerRoutes(
                                database, stores.servers, hosts, audit, sources.ids(), clock),
                        new JobRoutes(
                                database,
                                queue,
                                hosts,
                                stores.servers,
                                stores.output,
                                stores.policies,
                                clock),
                        new JobPolicyRoutes(database, stores.policies, audit, clock),
                        new OrgSettingsRoutes(
                                database,
                                audit,
                                clock,
                                config.rules().threshold(),
                                config.queue().lease()),
                        new SecretRoutes(database, queue, stores.secrets, audit, clock),
                        new WorkerRoutes(
                                database,
                                beats,
                                queue,
                                jobLongPoll,
                                stores.servers,
                                stores.output,
                                clock),
                        new HoldRoutes(holds),
                        new AlertRoutes(
                                database,
                                alerts,
                                stores.alerts,
                                stores.webhooks,
                                stores.deliveries,
                                deliverySender,
                                forEvents,
                                secrets,
                                audit,
                                forRoutes),
                        new BudgetRoutes(
                                new SharedBudgets(
                                        database,
                                        stores.budgets,
                                        lender,
                                        audit,
                                        sources.ids(),
                                        clock),
                                lender,
                                sources.hub(),
                                clock),
                        tellingPeople.routes(
                                mailServers, secrets, deliverySender, audit, forRoutes),
                        new MailServerRoutes(database, mailServers, audit, clock),
                        new EventRoutes(hubEvents.streams()));
        return all.flatMap(source -> source.routes().stream()).toList();
    }
}
