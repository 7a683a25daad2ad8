package dev.skep.app.assembly;

import dev.skep.app.adapter.ApprovalTimeouts;
import dev.skep.app.adapter.LocalAgentFiles;
import dev.skep.app.adapter.NodeRemovalByJob;
import dev.skep.app.adapter.OverBudgetConditions;
import dev.skep.app.adapter.StalledSyncConditions;
import dev.skep.app.retention.RetentionAssembly;
import dev.skep.app.retention.RetentionBehindConditions;
import dev.skep.app.retention.RetentionModule;
import dev.skep.app.retention.SizeLimitPurges;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.assembly.DirectoryLinkAcceptor;
import dev.skep.directory.enrolment.ConnectedHosts;
import dev.skep.directory.history.ConnectionLog;
import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HostProcess;
import dev.skep.dispatch.assembly.DispatchModule;
import dev.skep.dispatch.host.HostConsents;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.module.RegistryModule;
import dev.skep.registry.routes.NodeRemoval;
import dev.skep.registry.service.NodeList;
import dev.skep.store.news.TableChangeNotifier;
import dev.skep.supervisor.SupervisorModule;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.module.HubSyncModule;
import dev.skep.sync.module.UpstreamSyncModule;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The hub of a process: sync, jobs and the roster of all hosts, over their links. */
final class HubModules {
    private final ProcessContext around;
    private final HostProcess process;
    private final Directory directory;
    private final HostConsents consents;
    private final TableChangeNotifier tableChangeNotifier;
    private final DispatchModule dispatch;
    private final HubSyncModule sync;
    private final RegistryModule registry;
    private final RetentionModule retention;
    private final UpstreamSyncModule upstream;

    /**
     * Opens them, in the order of their dependencies.
     *
     * @param besideRunner whether the process has a runner, too
     */
    HubModules(
            ProcessContext around,
            HostProcess process,
            Directory directory,
            EventBus eventBus,
            boolean besideRunner) {
        this.around = around;
        this.process = process;
        this.directory = directory;
        this.consents = new HostConsents(process.database());
        Configuration configuration = around.configuration();
        Lifecycle lifecycle = around.lifecycle();
        ConnectedHosts live = directory.acceptor().links();
        SyncSchema schema = SyncSchema.of(process.tables());
        var sizeLimitPurges = new SizeLimitPurges();
        this.dispatch =
                around.opened(
                        new DispatchModule(
                                process,
                                eventBus,
                                directory.audit()::record,
                                ModuleConfigs.dispatch(
                                        configuration, ModuleConfigs.queueUrl(configuration))));
        // Before what is closed last, so that other processes are notified of that too.
        this.tableChangeNotifier =
                lifecycle.start(
                        "news", new TableChangeNotifier(process.database(), process.ids().next()));
        ConnectionLog connectionLog =
                lifecycle.start(
                        "link book",
                        new ConnectionLog(
                                process.database(),
                                process.ids(),
                                process.clock(),
                                live::publicUrl));
        this.registry =
                RegistryModule.ofHub(
                        process, ModuleConfigs.registry(around), around.meters(), live);
        this.sync =
                around.opened(
                        new HubSyncModule(
                                process,
                                schema,
                                eventBus,
                                new HubSyncModule.Hosts(
                                        new DirectoryLinkAcceptor(
                                                directory.acceptor(), connectionLog),
                                        live,
                                        (org, host) -> consents.require(org, host, Consent.AGENTS)),
                                Stream.of(dispatch, registry)
                                        .flatMap(feature -> feature.linkProtocols().stream())
                                        .toList()));
        new ProcessMeter(around.meters()).showEvents(lifecycle, eventBus);
        lifecycle.start(
                "alerts",
                dispatch.watching(
                        List.of(
                                new OverBudgetConditions(),
                                new StalledSyncConditions(live::isLive, process.steady()),
                                new RetentionBehindConditions(
                                        process.host().org(), sizeLimitPurges))));
        around.opened(registry);
        this.upstream =
                around.opened(
                        new UpstreamSyncModule(
                                process,
                                schema,
                                eventBus,
                                ModuleConfigs.links(configuration),
                                besideRunner,
                                List.of(registry)));
        this.retention =
                new RetentionModule(
                        "hub retention",
                        RetentionAssembly.of(
                                        process,
                                        configuration.retention(),
                                        sync.retention(),
                                        upstream::hubs,
                                        registry.options().lifetime(),
                                        Optional.of(dispatch.finished()),
                                        Optional.of(connectionLog),
                                        sizeLimitPurges,
                                        process.clock())
                                .leftTo(upstream::areElsewhere),
                        List.of());
        // Another process opened or closed a link: it is known at once, and not with the next look.
        tableChangeNotifier.onChangeByOthers(
                tables -> {
                    if (tables.isEmpty() || tables.contains("linked_hosts")) {
                        Thread.startVirtualThread(live::refresh);
                    }
                });
    }

    /** In the order they start. */
    List<FeatureModule> all() {
        return List.of(dispatch, sync, registry, retention, upstream);
    }

    RegistryModule registry() {
        return registry;
    }

    SupervisorModule supervisor(NodeList nodes) {
        SupervisorModule supervisor =
                SupervisorModule.ofHub(
                        process,
                        directory,
                        new SupervisorModule.HubFeatures(
                                dispatch.queue(),
                                nodes,
                                sync.hostSyncStatuses(),
                                new ApprovalTimeouts(
                                                around.configuration().agents().approvalTimeout())
                                        ::of,
                                LocalAgentFiles::check,
                                ModuleConfigs.sharedKeyFrom(around.configuration())),
                        tableChangeNotifier,
                        around.version());
        sync.onMoved(supervisor::linksMoved);
        return supervisor;
    }

    /** Removes nodes of other hosts. */
    NodeRemoval removalElsewhere() {
        return new NodeRemovalByJob(dispatch.queue(), consents);
    }
}
