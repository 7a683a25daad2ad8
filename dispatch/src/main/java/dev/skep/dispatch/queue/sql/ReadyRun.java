package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.SteeringJobTypes;
import dev.skep.dispatch.queue.Assignment;
import java.util.Comparator;

/** A run that may be claimed, and its position; one that steers agents takes no slot. */
record ReadyRun(Assignment assignment, long standing) {
    static final Comparator<ReadyRun> BEST_FIRST = Comparator.comparing(ReadyRun::queuePosition);

    QueuePosition queuePosition() {
        return new QueuePosition(standing, assignment.job().value());
    }

    boolean steering() {
        return standing >= SteeringJobTypes.FLOOR;
    }
}
