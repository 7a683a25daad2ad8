package dev.skep.app.assembly;

import dev.skep.agents.AgentTables;
import dev.skep.app.config.Kept;
import dev.skep.app.config.RetentionConfig;
import dev.skep.app.retention.Forgetting;
import dev.skep.app.retention.Retention;
import dev.skep.app.retention.SizeCuts;
import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.history.ConnectionLog;
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

/** What is forgotten in a runner's and in a hub's database. */
public final class RetentionAssembly {
    private static final Logger LOG = LoggerFactory.getLogger(RetentionAssembly.class);

    /**
     * What goes for its age. Read marks stay: whoever adopts an agent must know what it has read,
     * and mail that comes back must not be unread again.
     */
    private static final Map<Kept, List<SyncTable>> TABLES =
            new EnumMap<>(
                    Map.of(
                            Kept.LOGS, List.of(AgentTables.CONTEXT_LOG),
                            Kept.COSTS, List.of(AgentTables.COSTS),
                            Kept.SESSIONS, List.of(AgentTables.RUN_SESSION),
                            Kept.MAIL,
                                    List.of(
                                            AgentTables.MAIL_MESSAGES,
                                            AgentTables.MAIL_RECIPIENTS)));

    private RetentionAssembly() {}

    /**
     * Made and not started.
     *
     * @param hubs which must have pulled a row before its owner forgets it
     * @param nodes how long a registry remembers
     * @param finished the jobs of a hub
     * @param links when its hosts were connected
     * @param cuts is told what goes because a file has outgrown its limit
     */
    public static Retention of(
            HostProcess process,
            RetentionConfig config,
            RetentionStore store,
            Supplier<Collection<String>> hubs,
            NodeTimeouts nodes,
            Optional<FinishedJobs> finished,
            Optional<ConnectionLog> links,
            SizeCuts cuts,
            InstantSource clock) {
        List<Forgetting> kinds = new ArrayList<>();
        Function<SyncTable, Forgetting.Purge> purge =
                table -> keep -> purge(process, store, table, keep, hubs.get());
        Map<Kept, Duration> kept = config.kept();
        TABLES.forEach(
                (kind, tables) ->
                        tables.forEach(
                                table ->
                                        add(
                                                kinds,
                                                kept.get(kind),
                                                table.name(),
                                                purge.apply(table))));
        // The marks of nodes that left go last: their counts stay for as long as they.
        add(kinds, nodes.kept(), "connections", purge.apply(RegistryTables.CONNECTIONS));
        add(kinds, nodes.marksKept(), "nodes", purge.apply(RegistryTables.NODES));
        add(kinds, nodes.kept(), "stats", purge.apply(RegistryTables.STATS));
        var approvals = new ApprovalStore(process.database(), new AuditStore(process.ids(), clock));
        add(kinds, kept.get(Kept.SESSIONS), "approvals", approvals::forget);
        add(kinds, kept.get(Kept.QUARANTINE), "sync_quarantine", store::deleteQuarantined);
        finished.ifPresent(
                finishedJobs -> {
                    add(kinds, kept.get(Kept.JOBS), "jobs", finishedJobs::forgetJobs);
                    add(kinds, kept.get(Kept.ALERTS), "alerts", finishedJobs::forgetAlerts);
                });
        links.ifPresent(
                connectionLog ->
                        add(
                                kinds,
                                kept.get(Kept.ALERTS),
                                "host_connections",
                                connectionLog::forget));
        return new Retention(
                process.database(),
                config,
                kinds,
                Stream.of(Kept.LOGS, Kept.MAIL, Kept.COSTS)
                        .<Retention.Oldest>map(kind -> rows -> oldest(process, store, kind, rows))
                        .toList(),
                process.retention(),
                cuts);
    }

    /** What is kept for ever has no time. */
    private static void add(
            List<Forgetting> kinds, @Nullable Duration keep, String named, Forgetting.Purge purge) {
        if (keep != null) {
            kinds.add(new Forgetting(keep, named, purge));
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

    private static long oldest(HostProcess process, RetentionStore store, Kept kind, int rows) {
        return store.purgeOldest(process.ownRows(), TABLES.getOrDefault(kind, List.of()), rows);
    }
}
