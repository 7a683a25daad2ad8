package dev.skep.transport.http;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Token buckets by key, bounded in number: the one that was idle longest is dropped first.
 * Thread-safe.
 */
public final class RateLimit {
    private static final int KEPT = 20_000;

    /** How many are forgotten for each that comes: more than one, so that they become fewer. */
    private static final int AT_ONCE = 3;

    private final double perNano;
    private final int burst;
    private final LongSupplier nanoTime;
    private final Map<String, Bucket> buckets =
            new LinkedHashMap<>(256, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
                    return size() > KEPT;
                }
            };

    private static final class Bucket {
        private double tokens;
        private long at;
    }

    public RateLimit(int times, Duration every, int burst, LongSupplier nanoTime) {
        this.perNano = (double) times / every.toNanos();
        this.burst = burst;
        this.nanoTime = nanoTime;
    }

    /** Takes one; false if the key has none left now. */
    public synchronized boolean take(String key) {
        Bucket bucket = filled(key);
        if (bucket.tokens < 1) {
            return false;
        }
        bucket.tokens -= 1;
        return true;
    }

    /** Whether one could be taken, without taking it. */
    public synchronized boolean has(String key) {
        return filled(key).tokens >= 1;
    }

    /** Takes back what was taken for something that turned out not to count. */
    public synchronized void giveBack(String key) {
        Bucket bucket = filled(key);
        bucket.tokens = Math.min(burst, bucket.tokens + 1);
    }

    synchronized int size() {
        return buckets.size();
    }

    /** A full bucket is the same as none. */
    private void forgetRecovered(long now) {
        Iterator<Bucket> longestIdle = buckets.values().iterator();
        for (int i = 0; i < AT_ONCE && longestIdle.hasNext(); i++) {
            Bucket bucket = longestIdle.next();
            if (bucket.tokens + (now - bucket.at) * perNano < burst) {
                return;
            }
            longestIdle.remove();
        }
    }

    private Bucket filled(String key) {
        long now = nanoTime.getAsLong();
        Bucket bucket = buckets.get(key);
        if (bucket == null) {
            forgetRecovered(now);
            bucket = new Bucket();
            bucket.tokens = burst;
            bucket.at = now;
            buckets.put(key, bucket);
        }
        bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.at) * perNano);
        bucket.at = now;
        return bucket;
    }
}
