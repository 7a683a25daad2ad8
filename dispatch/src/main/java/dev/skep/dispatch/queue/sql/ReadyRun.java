package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.Steering;
import dev.skep.dispatch.queue.Assignment;
import java.util.Comparator;

/** A run that may be taken, and where it stands; one that steers is not counted. */
record ReadyRun(Assignment assignment, long standing) {
    /** The order of claims. */
    static final Comparator<ReadyRun> BEST_FIRST =
            Comparator.comparingLong(ReadyRun::standing)
                    .reversed()
                    .thenComparing(run -> run.assignment().job().value());

    boolean steering() {
        return standing >= Steering.FLOOR;
    }
}
