package dev.skep.benchmark.dispatch;

/**
 * How much is measured.
 *
 * @param rounds all sides take turns, and the median round counts: no machine is quiet
 * @param first what an engine does before the first round: a hub runs for months and gets faster in
 *     its first minute; BullMQ does not
 * @param warm done in each round before the clock starts, on all sides
 * @param jobs what a peer does in a round
 * @param ours what an engine does: about as long, so that a slow moment counts as little
 * @param waiting what waits in a queue that has much to do
 * @param slices how often queues with much and with little waiting take turns: often and briefly,
 *     so that a slow moment falls on all of them
 * @param behind what is done in such a turn
 * @param starts how often the start of one job is waited for
 * @param seconds how long a fleet beats
 */
record Size(
        int rounds,
        int first,
        int warm,
        int jobs,
        int ours,
        int waiting,
        int slices,
        int behind,
        int starts,
        int seconds) {
    static final Size FULL =
            new Size(5, 1_000_000, 20_000, 60_000, 240_000, 1_000_000, 24, 20_000, 1_000, 20);

    /**
     * Ends within a minute, in which no engine gets warm: its ratios are lower than they will be.
     */
    static final Size QUICK = new Size(2, 30_000, 2_000, 4_000, 16_000, 100_000, 4, 2_000, 100, 2);

    /** For queues that live in a database of another process: a third as fast. */
    Size third() {
        return new Size(
                rounds, first / 3, warm, jobs / 3, ours / 3, waiting, slices, behind, starts,
                seconds);
    }
}
