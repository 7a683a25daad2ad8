package dev.skep.app.retention;

import dev.skep.agents.AgentTables;
import dev.skep.cli.config.RetentionConfig;
import dev.skep.cli.config.RetentionKind;
import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.history.ConnectionLog;
import dev.skep.directory.module.HostProcess;
import dev.skep.dispatch.assembly.FinishedJobs;
import dev.skep.kernel.row.SyncTable;
import dev.skep.registry.node.NodeTimeouts;
import dev.skep.registry.table.RegistryTables;
import dev.skep.runner.approval.ApprovalStore;
import dev.skep.sync.sql.RetentionStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is purged in a runner's and in a hub's database. */
public final class RetentionAssembly {
    private static final Logger LOG = LoggerFactory.getLogger(RetentionAssembly.class);

    /**
     * What is purged by age. Read marks stay: the next host of an adopted agent needs them, and
     * mail that comes back must not be unread again.
     */
    private static final Map<RetentionKind, List<SyncTable>> TABLES =
            new EnumMap<>(
                    Map.of(
                            RetentionKind.LOGS, List.of(AgentTables.CONTEXT_LOG),
                            RetentionKind.COSTS, List.of(AgentTables.COSTS),
                            RetentionKind.SESSIONS, List.of(AgentTables.RUN_SESSION),
                            RetentionKind.MAIL,
                                    List.of(
                                            AgentTables.MAIL_MESSAGES,
                                            AgentTables.MAIL_RECIPIENTS)));

    private RetentionAssembly() {}

    /**
     * Made and not started.
     *
     * @param hubs which must have pulled a row before its owner purges it
     * @param nodes how long a registry remembers
     * @param finished the jobs of a hub
     * @param links when its hosts were connected
     * @param sizeLimitPurges receives what is purged because a file has outgrown its limit
     */
    public static Retention of(
            HostProcess process,
            RetentionConfig config,
            RetentionStore store,
            Supplier<Collection<String>> hubs,
            NodeTimeouts nodes,
            Optional<FinishedJobs> finished,
            Optional<ConnectionLog> links,
            SizeLimitPurges sizeLimitPurges,
            InstantSource clock) {
        List<RetentionRule> kinds = new ArrayList<>();
        Function<SyncTable, RetentionRule.Purge> purge =
                table -> keep -> purge(process, store, table, keep, hubs.get());
        Map<RetentionKind, Duration> retentionKind = config.kept();
        TABLES.forEach(
                (kind, tables) ->
                        tables.forEach(
                                table ->
                                        add(
                                                kinds,
                                                retentionKind.get(kind),
                                                table.name(),
                                                purge.apply(table))));
        // The marks of nodes that left go last: their counts stay for as long as they.
        add(kinds, nodes.kept(), "connections", purge.apply(RegistryTables.CONNECTIONS));
        add(kinds, nodes.marksKept(), "nodes", purge.apply(RegistryTables.NODES));
        add(kinds, nodes.kept(), "stats", purge.apply(RegistryTables.STATS));
        var approvals = new ApprovalStore(process.database(), new AuditStore(process.ids(), clock));
        add(kinds, retentionKind.get(RetentionKind.SESSIONS), "approvals", approvals::forget);
        add(
                kinds,
                retentionKind.get(RetentionKind.QUARANTINE),
                "sync_quarantine",
                store::deleteQuarantined);
        finished.ifPresent(
                finishedJobs -> {
                    add(
                            kinds,
                            retentionKind.get(RetentionKind.JOBS),
                            "jobs",
                            finishedJobs::forgetJobs);
                    add(
                            kinds,
                            retentionKind.get(RetentionKind.ALERTS),
                            "alerts",
                            finishedJobs::forgetAlerts);
                });
        links.ifPresent(
                connectionLog ->
                        add(
                                kinds,
                                retentionKind.get(RetentionKind.ALERTS),
                                "host_connections",
                                connectionLog::forget));
        return new Retention(
                process.database(),
                config,
                kinds,
                Stream.of(RetentionKind.LOGS, RetentionKind.MAIL, RetentionKind.COSTS)
                        .<Retention.OldestRowDeleter>map(
                                kind -> rows -> oldest(process, store, kind, rows))
                        .toList(),
                process.retention(),
                sizeLimitPurges);
    }

    /** Kinds that are kept for ever have no rule. */
    private static void add(
            List<RetentionRule> kinds,
            @Nullable Duration keep,
            String named,
            RetentionRule.Purge purge) {
        if (keep != null) {
            kinds.add(new RetentionRule(keep, named, purge));
        }
    }

    private static long purge(
            HostProcess process,
            RetentionStore store,
            SyncTable table,
            Duration keep,
            Collection<String> hubs) {
        RetentionStore.Purged purged =
                store.purge(process.ownRows(), table, keep, hubs, RetentionStore.PurgeLimit.HOURLY);
        if (purged.waiting() > 0) {
            LOG.warn(
                    "more rows are old than an hour may forget table={} rows={}; if that is no mistake, they go by and by",
                    table.name(),
                    purged.waiting());
        }
        if (purged.notPulled() > 0) {
            LOG.warn(
                    "old rows stay, since a hub has not taken them table={} rows={}; see: skep sync, skep quarantine",
                    table.name(),
                    purged.notPulled());
        }
        return purged.rows();
    }

    private static long oldest(
            HostProcess process, RetentionStore store, RetentionKind kind, int rows) {
        return store.purgeOldest(process.ownRows(), TABLES.getOrDefault(kind, List.of()), rows);
    }
}
