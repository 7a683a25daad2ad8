package dev.skep.models.money.lease;

import java.util.ArrayDeque;
import java.util.Deque;

/** What is spent in an hour, by the last hour. Not thread-safe. */
final class SpendRate {
    private static final long HOUR = 3_600_000;
    private static final long MINUTE = 60_000;

    private record Piece(long at, long micros) {}

    /** At most one for each minute. */
    private final Deque<Piece> pieces = new ArrayDeque<>();

    void add(long now, long micros) {
        Piece last = pieces.peekLast();
        if (last != null && now - last.at() < MINUTE) {
            pieces.removeLast();
            pieces.addLast(new Piece(last.at(), Math.max(0, last.micros() + micros)));
        } else if (micros > 0) {
            pieces.addLast(new Piece(now, micros));
        }
        forget(now);
    }

    private void forget(long now) {
        while (!pieces.isEmpty() && now - pieces.getFirst().at() > HOUR) {
            pieces.removeFirst();
        }
    }

    /** Of a few minutes it is not known how they go on: they count as ten. */
    long perHour(long now) {
        forget(now);
        if (pieces.isEmpty()) {
            return 0;
        }
        long sum = pieces.stream().mapToLong(Piece::micros).sum();
        long span = Math.max(10 * MINUTE, now - pieces.getFirst().at());
        return (long) ((double) sum * HOUR / span);
    }
}
