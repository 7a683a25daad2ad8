package dev.skep.registry.service;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether changes can be stored: logged once when it begins and once when it ends, however many
 * changes there are in between. While the disk is full or the server is away it is tried only now
 * and then, so that callers do not wait in vain. Thread-safe.
 */
final class StorageMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(StorageMonitor.class);
    private static final long PAUSE_NANOS = 1_000_000_000;

    private final LongSupplier nanoTime;
    private volatile @Nullable SkepException failure;
    private volatile long tryAgainAt;

    StorageMonitor(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Why it cannot be stored, for as long as it makes no sense to try; null to try. */
    @Nullable SkepException whyNotTried() {
        return failure != null && nanoTime.getAsLong() < tryAgainAt ? failure : null;
    }

    /** Whether it makes no sense to read either: of a full disk one can. */
    boolean isAway() {
        SkepException known = whyNotTried();
        return known != null
                && (known.code() == ErrorCode.DATABASE_UNREACHABLE
                        || known.code() == ErrorCode.DATABASE_BUSY);
    }

    boolean isStoring() {
        return failure == null;
    }

    synchronized void stored() {
        if (failure != null) {
            failure = null;
            LOG.info("the registry can store changes again, and has stored what waited");
        }
    }

    /**
     * It could not be stored.
     *
     * @param begun when it was tried, of the nanoseconds that count
     */
    synchronized void failed(SkepException why, long begun) {
        long now = nanoTime.getAsLong();
        boolean first = failure == null;
        failure = why;
        tryAgainAt = isAboutThePlace(why) ? now + Math.max(PAUSE_NANOS, 2 * (now - begun)) : now;
        if (first) {
            LOG.error(
                    "the registry cannot store changes; nodes stay in memory until it can reason={}",
                    why.getMessage());
        }
    }

    /** Not about one row, which the next would have nothing to do with. */
    static boolean isAboutThePlace(SkepException failure) {
        return switch (failure.code()) {
            case DISK_FULL, DATA_DIR_UNUSABLE, DATABASE_UNREACHABLE, DATABASE_BUSY -> true;
            default -> false;
        };
    }
}
