package dev.skep.transport.http;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Logs what anonymous clients can cause without end: the first occurrence of a cause at once, those
 * that follow within a minute as a count. Thread-safe.
 */
public final class RateLimitedLog {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** So many causes at once; more are told together. */
    private static final int CAUSES = 200;

    private static final String OTHER = "other causes";

    private final Consumer<String> log;
    private final Consumer<Runnable> inAMinute;
    private final Map<String, Long> more = new HashMap<>();

    public RateLimitedLog(Consumer<String> log) {
        this(log, RateLimitedLog::runInAMinute);
    }

    RateLimitedLog(Consumer<String> log, Consumer<Runnable> inAMinute) {
        this.log = log;
        this.inAMinute = inAMinute;
    }

    /**
     * Tells it, or counts it.
     *
     * @param cause what is counted together, and named with the number
     */
    public void tell(String cause, Runnable line) {
        String counted;
        synchronized (more) {
            counted = more.containsKey(cause) || more.size() < CAUSES ? cause : OTHER;
            if (more.merge(counted, 1L, Long::sum) > 1) {
                return;
            }
        }
        line.run();
        inAMinute.accept(() -> tellNumber(counted));
    }

    /** What tells failures apart: their kind and where they began. */
    public static String causeOf(Throwable failure) {
        StackTraceElement[] frames = failure.getStackTrace();
        String kind = failure.getClass().getSimpleName();
        return frames.length == 0 ? kind : kind + " at " + frames[0];
    }

    private void tellNumber(String cause) {
        long times;
        synchronized (more) {
            Long counted = more.remove(cause);
            times = counted == null ? 0 : counted - 1;
        }
        if (times > 0) {
            log.accept("%s: and %,d more within a minute".formatted(cause, times));
        }
    }

    private static void runInAMinute(Runnable work) {
        Thread.ofVirtual()
                .name("counted-log")
                .start(
                        () -> {
                            try {
                                Thread.sleep(MINUTE);
                            } catch (InterruptedException e) {
                                // told now instead
                            }
                            work.run();
                        });
    }
}
