package dev.skep.app.assembly;

import dev.skep.agents.AgentTables;
import dev.skep.app.config.Kept;
import dev.skep.app.config.RetentionConfig;
import dev.skep.app.retention.Forgetting;
import dev.skep.app.retention.Retention;
import dev.skep.directory.history.LinkBook;
import dev.skep.dispatch.assembly.FinishedWork;
import dev.skep.kernel.row.SyncTable;
import dev.skep.runner.approval.ApprovalStore;
import dev.skep.sync.sql.RetentionStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What is forgotten in a runner's and in a hub's database. */
public final class RetentionAssembly {
    private static final Map<Kept, List<SyncTable>> TABLES =
            Map.of(
                    Kept.LOGS, List.of(AgentTables.CONTEXT_LOG),
                    Kept.COSTS, List.of(AgentTables.COSTS),
                    Kept.SESSIONS, List.of(AgentTables.RUN_SESSION),
                    Kept.MAIL,
                            List.of(
                                    AgentTables.MAIL_MESSAGES,
                                    AgentTables.MAIL_RECIPIENTS,
                                    AgentTables.MAIL_STATUS));

    private RetentionAssembly() {}

    /**
     * Made and not started.
     *
     * @param hubs which must have pulled a row before its owner forgets it
     * @param finished the jobs of a hub
     * @param links when its hosts were connected
     */
    public static Retention of(
            HostProcess process,
            RetentionConfig config,
            RetentionStore store,
            Supplier<Collection<String>> hubs,
            Optional<FinishedWork> finished,
            Optional<LinkBook> links,
            InstantSource clock) {
        List<Forgetting> kinds = new ArrayList<>();
        kinds.add(
                new Forgetting(
                        Kept.MAIL,
                        "hosts",
                        horizon -> {
                            process.host().retainFrom(horizon);
                            return 0;
                        }));
        for (Kept kind : Kept.values()) {
            for (SyncTable table : TABLES.getOrDefault(kind, List.of())) {
                kinds.add(
                        new Forgetting(
                                kind,
                                table.name(),
                                horizon ->
                                        store.purge(
                                                process.host().id(), table, horizon, hubs.get())));
            }
        }
        var approvals = new ApprovalStore(process.database());
        kinds.add(new Forgetting(Kept.SESSIONS, "approvals", approvals::forget));
        kinds.add(new Forgetting(Kept.QUARANTINE, "sync_quarantine", store::forgetSetAside));
        finished.ifPresent(
                work -> {
                    kinds.add(new Forgetting(Kept.JOBS, "jobs", work::forgetJobs));
                    kinds.add(new Forgetting(Kept.ALERTS, "alerts", work::forgetAlerts));
                });
        links.ifPresent(
                book -> kinds.add(new Forgetting(Kept.ALERTS, "host_connections", book::forget)));
        return new Retention(
                process.database(),
                config,
                kinds,
                Stream.of(Kept.LOGS, Kept.MAIL, Kept.COSTS)
                        .<Retention.Oldest>map(kind -> rows -> oldest(process, store, kind, rows))
                        .toList(),
                clock);
    }

    private static int oldest(HostProcess process, RetentionStore store, Kept kind, int rows) {
        return store.purgeOldest(process.host().id(), TABLES.getOrDefault(kind, List.of()), rows);
    }
}
