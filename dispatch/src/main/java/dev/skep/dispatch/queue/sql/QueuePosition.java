package dev.skep.dispatch.queue.sql;

/** A position in the order of claims: higher priority first, then the older job. */
record QueuePosition(long standing, String job) implements Comparable<QueuePosition> {
    @Override
    public int compareTo(QueuePosition other) {
        return standing == other.standing
                ? job.compareTo(other.job)
                : Long.compare(other.standing, standing);
    }
}
