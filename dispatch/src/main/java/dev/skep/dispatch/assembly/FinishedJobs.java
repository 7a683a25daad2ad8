package dev.skep.dispatch.assembly;

import dev.skep.dispatch.alert.AlertStore;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.output.OutputStore;
import dev.skep.dispatch.queue.ledger.JobStore;
import dev.skep.dispatch.queue.ledger.RunStore;
import dev.skep.store.Database;
import dev.skep.store.clock.RetentionClock;
import java.time.Duration;
import java.util.List;

/** Deletes what is over: ended jobs with their runs and output, resolved alerts. */
public final class FinishedJobs {
    /** Few jobs a time: each may have thousands of rows of output. */
    private static final int PIECE = 20;

    private final Database database;
    private final OutputStore output = new OutputStore();
    private final AlertStore alerts = new AlertStore();
    private final DeliveryStore deliveries = new DeliveryStore();
    private final JobStore jobs = new JobStore();

    public FinishedJobs(Database database) {
        this.database = database;
    }

    /** Deletes jobs that ended this long ago; returns how many. */
    public int forgetJobs(Duration keep) {
        long reading = database.read(RetentionClock::read).before(keep);
        int all = 0;
        int some = PIECE;
        String last = "";
        while (some == PIECE) {
            String after = last;
            List<JobId> ended = database.read(db -> jobs.endedBy(db, reading, after, PIECE));
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
            last = ended.isEmpty() ? last : ended.getLast().value();
        }
        return all;
    }

    /** Deletes alerts that were resolved, and messages that were delivered, this long ago. */
    public int forgetAlerts(Duration keep) {
        return database.write(
                transaction -> {
                    long reading = RetentionClock.read(transaction).before(keep);
                    return alerts.forget(transaction, reading)
                            + deliveries.forget(transaction, reading);
                });
    }
}
