package dev.skep.dispatch.assembly;

import dev.skep.dispatch.alert.AlertStore;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.output.OutputStore;
import dev.skep.dispatch.queue.ledger.JobStore;
import dev.skep.dispatch.queue.ledger.RunStore;
import dev.skep.store.Database;
import java.time.Instant;
import java.util.List;

/** What is over and may be forgotten: ended jobs with their runs and output, resolved alerts. */
public final class FinishedWork {
    /** Few jobs a time: each may have thousands of rows of output. */
    private static final int PIECE = 20;

    private final Database database;
    private final OutputStore output = new OutputStore();
    private final AlertStore alerts = new AlertStore();
    private final DeliveryStore deliveries = new DeliveryStore();
    private final JobStore jobs = new JobStore();

    public FinishedWork(Database database) {
        this.database = database;
    }

    /** Forgets jobs that were made before a time and have ended; says how many. */
    public int forgetJobs(Instant before) {
        int all = 0;
        int some = PIECE;
        while (some == PIECE) {
            List<JobId> ended = database.read(db -> jobs.endedBefore(db, before, PIECE));
            for (JobId job : ended) {
                database.write(
                        transaction -> {
                            output.deleteOf(transaction, job);
                            RunStore.deleteOf(transaction, job);
                            jobs.delete(transaction, job);
                            return job;
                        });
            }
            some = ended.size();
            all += some;
        }
        return all;
    }

    /** Forgets alerts that were resolved, and messages that were delivered, before a time. */
    public int forgetAlerts(Instant before) {
        return database.write(
                transaction ->
                        alerts.forget(transaction, before)
                                + deliveries.forget(transaction, before));
    }
}
