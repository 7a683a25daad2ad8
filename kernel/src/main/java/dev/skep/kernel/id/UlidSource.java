package dev.skep.kernel.id;

import com.github.f4b6a3.ulid.Ulid;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * Creates strictly increasing ULIDs: inside one millisecond, when the clock steps back, and after a
 * restart once {@link #startAbove} was given the stored maximum. Thread-safe.
 */
public final class UlidSource {
    private final InstantSource clock;
    private final RandomGenerator random;
    private final ReentrantLock lock = new ReentrantLock();
    private Ulid last = Ulid.MIN;

    public UlidSource(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    /** The next ULID, in its canonical 26 characters. */
    public String next() {
        lock.lock();
        try {
            long now = clock.millis();
            last = now > last.getTime() ? fresh(now) : last.increment();
            return last.toString();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes every later id greater than {@code stored}; an id that is not a ULID is ignored. The
     * stored one may be another machine's, and others may start above it too: counting on from it,
     * they would all make the same ids.
     */
    public void startAbove(String stored) {
        if (!Ulid.isValid(stored)) {
            return;
        }
        lock.lock();
        try {
            Ulid floor = Ulid.from(stored);
            if (floor.compareTo(last) > 0) {
                last = fresh(floor.getTime() + 1);
            }
        } finally {
            lock.unlock();
        }
    }

    private Ulid fresh(long millis) {
        // 16 random bits beside the time, 64 below: the top bit stays clear so that increments of a
        // whole process lifetime cannot carry into the time.
        return new Ulid((millis << 16) | (random.nextLong() & 0x7fff), random.nextLong());
    }
}
