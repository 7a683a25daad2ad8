package dev.skep.simulation;

import java.util.EnumSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time, one source of chance, and what is to happen next: all of it follows from the seed.
 */
final class World {
    final SplittableRandom random;
    final Coverage coverage = new Coverage();
    private final Set<Rule> without;
    private final @Nullable Trace trace;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long order;
    private boolean calm;

    World(long seed, @Nullable Rule without, @Nullable Trace trace) {
        this.random = new SplittableRandom(seed);
        this.without = without == null ? EnumSet.noneOf(Rule.class) : EnumSet.of(without);
        this.trace = trace;
    }

    private record Event(long at, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    boolean has(Rule rule) {
        return !without.contains(rule);
    }

    long now() {
        return now;
    }

    void in(long millis, Runnable action) {
        events.add(new Event(now + millis, order++, action));
    }

    /** Something within the span, by chance. */
    void within(int millis, Runnable action) {
        in(random.nextInt(millis), action);
    }

    void runUntil(long end) {
        for (Event next = events.peek(); next != null && next.at <= end; next = events.peek()) {
            events.poll();
            now = next.at;
            next.action.run();
        }
        now = end;
    }

    /** From now on nothing goes wrong by chance. */
    void calm() {
        calm = true;
        say(() -> "-- no more faults --");
    }

    boolean isCalm() {
        return calm;
    }

    boolean chance(double probability) {
        return !calm && random.nextDouble() < probability;
    }

    boolean coin() {
        return random.nextInt(2) == 0;
    }

    int pick(int bound) {
        return random.nextInt(bound);
    }

    void count(Fault fault) {
        coverage.count(fault);
    }

    boolean isTraced() {
        return trace != null;
    }

    void say(Supplier<String> line) {
        if (trace != null) {
            trace.line(now, line.get());
        }
    }
}
