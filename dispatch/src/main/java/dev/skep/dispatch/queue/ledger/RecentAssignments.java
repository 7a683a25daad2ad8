package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunOutcome;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whose runs are that this process handed out lately. Neither their host nor their org ever
 * changes, so that a report of one of them has to be compared with the ledger's status only. What
 * is not here is looked up. Thread-safe.
 */
final class RecentAssignments {
    /** Runs that end without a report stay until this many others came. */
    private static final int GENERATION = 20_000;

    private Map<RunId, FinishedRun> young = new HashMap<>();
    private Map<RunId, FinishedRun> old = new HashMap<>();

    synchronized void add(FinishedRun run) {
        if (young.size() >= GENERATION) {
            old = young;
            young = new HashMap<>();
        }
        young.put(run.id(), run);
    }

    /**
     * The run that a host reports as succeeded, if it is one of these and its own; only once, so
     * that a repeated report is checked.
     */
    synchronized @Nullable FinishedRun take(HostReport said) {
        RunId id = said.report().run();
        FinishedRun run = young.getOrDefault(id, old.get(id));
        if (run == null
                || said.report().outcome() != RunOutcome.SUCCEEDED
                || said.report().attempt() != run.attempt()
                || !said.host().id().equals(run.host())
                || !said.host().org().equals(run.org())) {
            return null;
        }
        young.remove(id);
        old.remove(id);
        return run;
    }
}
