package dev.skep.dispatch.queue.sql;

/** A place in the order of claims: what stands higher first, then the older job. */
record Place(long standing, String job) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
        return standing == other.standing
                ? job.compareTo(other.job)
                : Long.compare(other.standing, standing);
    }
}
