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

    /** The most causes counted separately; further ones are counted together. */
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
     * Writes the line, or only counts it if its cause was logged within the last minute.
     *
     * @param cause what is counted together, and named with the number
     */
    public void report(String cause, Runnable line) {
        String counted;
        synchronized (more) {
            counted = more.containsKey(cause) || more.size() < CAUSES ? cause : OTHER;
            if (more.merge(counted, 1L, Long::sum) > 1) {
                return;
            }
        }
        line.run();
        inAMinute.accept(() -> logNumber(counted));
    }

    /** Names the cause of a failure: its type and where it was thrown. */
    public static String causeOf(Throwable failure) {
        StackTraceElement[] frames = failure.getStackTrace();
        String kind = failure.getClass().getSimpleName();
        return frames.length == 0 ? kind : kind + " at " + frames[0];
    }

    private void logNumber(String cause) {
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
                                // written now instead
                            }
                            work.run();
                        });
    }
}
