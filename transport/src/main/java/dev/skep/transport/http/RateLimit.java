package dev.skep.transport.http;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Token buckets by key, so many of them and no more: whoever was idle longest is forgotten first.
 * Thread-safe.
 */
public final class RateLimit {
    private static final int KEPT = 20_000;

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

    private Bucket filled(String key) {
        long now = nanoTime.getAsLong();
        Bucket bucket = buckets.get(key);
        if (bucket == null) {
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
