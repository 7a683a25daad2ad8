package dev.skep.supervisor.live;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.Keyed;
import dev.skep.kernel.identity.Principal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All topics of one org, read by one thread of its own while they are watched. Thread-safe. */
public final class LiveBoard implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveBoard.class);
    private static final long RING = 8L << 20;
    private static final long NEVER = WatchedTopic.NEVER;
    private static final Duration LONG = Duration.ofNanos(NEVER);
    private static final Duration FORGETTING = Duration.ofMinutes(1);

    private final Principal principal;
    private final Time time;
    private final Map<String, WatchedTopic> topics = new LinkedHashMap<>();
    private final DeltaBuffer deltaBuffer = new DeltaBuffer(RING);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final Condition wanted = lock.newCondition();

    /** Held while a topic is read, so that two readings do not overtake each other. */
    private final ReentrantLock reading = new ReentrantLock();

    private long touches;
    private boolean closed;
    private boolean failing;

    LiveBoard(Principal principal, Collection<Topic> topics, Time time) {
        this.principal = principal;
        this.time = time;
        topics.forEach(topic -> this.topics.put(topic.name(), new WatchedTopic(topic, now())));
        Thread.ofVirtual().name("live-board-" + principal.org()).start(this::keepReading);
    }

    /**
     * Time as boards see it.
     *
     * @param passed runs when what was read has expired without a reported change
     */
    public record Time(InstantSource clock, LongSupplier nanoTime, Runnable passed) {}

    private long now() {
        return time.nanoTime().getAsLong();
    }

    /** Rows of a topic and the number of the delta after which they go on. */
    public record Reading(Collection<? extends Keyed> rows, long number) {}

    /** The rows of a topic as they are now. */
    public Reading read(String topic) {
        WatchedTopic watched = existing(topic);
        lock.lock();
        try {
            if (watched.isCurrent(now())) {
                return new Reading(watched.rows().values(), deltaBuffer.last());
            }
        } finally {
            lock.unlock();
        }
        return readAgain(watched);
    }

    public boolean has(String topic) {
        return topics.containsKey(topic);
    }

    /** Watches topics from a delta's number on; close it when the stream ends. */
    public Watch watch(Set<String> names, Optional<Long> after) {
        names.forEach(this::existing);
        lock.lock();
        try {
            count(names, 1);
            return new Watch(names, after.orElse(deltaBuffer.last()), touches);
        } finally {
            lock.unlock();
        }
    }

    private void count(Set<String> names, int by) {
        long now = now();
        names.forEach(name -> existing(name).watched(by, now));
        wanted.signalAll();
    }

    /** Rows of these tables may have changed; an empty set means any. */
    void touch(Set<String> tables) {
        lock.lock();
        try {
            touches++;
            for (WatchedTopic watched : topics.values()) {
                Set<String> concern = watched.topic.tables();
                if (tables.isEmpty() || tables.stream().anyMatch(concern::contains)) {
                    watched.touched();
                }
            }
            moved.signalAll();
            wanted.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What a watch was woken by: deltas, or the loss of its place. */
    public record WatchUpdate(boolean lost, List<String> deltas, long number) {}

    /** One stream's place on the board. Used by one thread. */
    public final class Watch implements AutoCloseable {
        private final Set<String> names;
        private long number;
        private long seen;

        private Watch(Set<String> names, long number, long seen) {
            this.names = Set.copyOf(names);
            this.number = number;
            this.seen = seen;
        }

        /** Waits until something happened, at most this long; what happened may be nothing. */
        public WatchUpdate next(Duration atMost) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                long left = atMost.toNanos();
                while (!closed && deltaBuffer.last() == number && touches == seen && left > 0) {
                    left = moved.awaitNanos(left);
                }
                seen = touches;
                boolean gapless = names.stream().allMatch(n -> existing(n).coversFrom(number));
                Optional<List<Delta>> found =
                        gapless ? deltaBuffer.after(number, names) : Optional.empty();
                number = deltaBuffer.last();
                return new WatchUpdate(
                        found.isEmpty(),
                        found.orElse(List.of()).stream().map(Delta::json).toList(),
                        number);
            } finally {
                lock.unlock();
            }
        }

        public boolean isOver() {
            lock.lock();
            try {
                return closed;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                count(names, -1);
            } finally {
                lock.unlock();
            }
        }
    }

    private void keepReading() {
        try {
            while (awaitDue()) {
                for (WatchedTopic watched : topics.values()) {
                    if (isDue(watched)) {
                        readOrTell(watched);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until a watched topic is to be read; false when the board is closed. */
    private boolean awaitDue() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed) {
                long now = now();
                long due = NEVER;
                for (WatchedTopic watched : topics.values()) {
                    due = Math.min(due, watched.dueIn(now));
                }
                if (due <= 0) {
                    return true;
                }
                wanted.awaitNanos(Math.min(due, FORGETTING.toNanos()));
                topics.values().forEach(each -> each.forgetIfUnwatched(now(), deltaBuffer.last()));
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean isDue(WatchedTopic watched) {
        lock.lock();
        try {
            return !closed && watched.isDue(now());
        } finally {
            lock.unlock();
        }
    }

    private void readOrTell(WatchedTopic watched) {
        try {
            readAgain(watched);
            if (failing) {
                failing = false;
                LOG.info("live reading works again org={}", principal.org());
            }
        } catch (RuntimeException failure) {
            readFailed(watched);
            if (!failing) {
                failing = true;
                logFailure(watched.topic.name(), failure);
            }
        }
    }

    private static void logFailure(String topic, RuntimeException failure) {
        if (SkepException.isSelfExplanatory(failure)) {
            LOG.warn("live reading failed topic={} {}", topic, failure.getMessage());
        } else {
            LOG.warn("live reading failed topic={}", topic, failure);
        }
    }

    private void readFailed(WatchedTopic watched) {
        lock.lock();
        try {
            watched.readFailed(now());
        } finally {
            lock.unlock();
        }
    }

    private Reading readAgain(WatchedTopic watched) {
        reading.lock();
        try {
            lock.lock();
            try {
                if (watched.isOutdated(now())) {
                    time.passed().run();
                }
                watched.reading();
            } finally {
                lock.unlock();
            }
            long begun = now();
            Map<String, Keyed> now = Delta.byId(watched.topic.reader().read(principal));
            return publish(watched, now, lasts(watched.topic), begun);
        } finally {
            reading.unlock();
        }
    }

    /** How long what was just read is true if nothing happens, in nanoseconds. */
    private long lasts(Topic topic) {
        return topic.lasting()
                .apply(principal)
                .map(until -> Duration.between(time.clock().instant(), until))
                .map(left -> left.compareTo(LONG) < 0 ? Math.max(0, left.toNanos()) : NEVER)
                .orElse(NEVER);
    }

    private Reading publish(WatchedTopic watched, Map<String, Keyed> rows, long lasts, long begun) {
        // What changed since a dropped reading is unknown: streams that had it start anew.
        boolean first = !watched.wasRead();
        Optional<String> change =
                first
                        ? Optional.empty()
                        : Delta.between(watched.topic.name(), watched.rows(), rows);
        lock.lock();
        try {
            long now = now();
            watched.hasRead(rows, now - begun, lasts, now);
            if (first) {
                // One number for all lists of a page that is opened first: each with its own would
                // put the earliest of them out of reach.
                boolean afresh = !watched.mayHoldForgottenRows(deltaBuffer.last());
                watched.startsAt(afresh ? deltaBuffer.last() : deltaBuffer.skip());
                moved.signalAll();
            }
            change.ifPresent(
                    json -> {
                        deltaBuffer.add(watched.topic.name(), json);
                        moved.signalAll();
                    });
            return new Reading(rows.values(), deltaBuffer.last());
        } finally {
            lock.unlock();
        }
    }

    private WatchedTopic existing(String name) {
        WatchedTopic watched = topics.get(name);
        if (watched == null) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "there is no topic %s here; there are %s".formatted(name, topics.keySet()));
        }
        return watched;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            moved.signalAll();
            wanted.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
