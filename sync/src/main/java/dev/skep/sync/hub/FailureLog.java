package dev.skep.sync.hub;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What keeps this hub from storing what hosts send, such as a full disk. Every host comes back
 * every few seconds with the same rows, so it is logged when it begins and when it ends.
 * Thread-safe.
 */
final class FailureLog {
    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

    private final AtomicReference<@Nullable ErrorCode> known = new AtomicReference<>();

    /** Something was not stored; the link it came by ends. */
    void recordFailure(SkepException failure) {
        if (known.getAndSet(failure.code()) == failure.code()) {
            return;
        }
        String code = failure.code().code();
        if (SkepException.isSelfExplanatory(failure)) {
            LOG.error("what hosts send is not stored code={} {}", code, failure.getMessage());
        } else {
            LOG.error("what hosts send is not stored code={}", code, failure);
        }
    }

    /** Rows were stored. Less is no sign: a disk that is full for rows may take a mark. */
    void over() {
        ErrorCode before = known.get();
        if (before != null && known.compareAndSet(before, null)) {
            LOG.info("what hosts send is stored again after code={}", before.code());
        }
    }
}
