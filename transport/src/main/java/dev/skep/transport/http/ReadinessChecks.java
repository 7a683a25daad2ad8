package dev.skep.transport.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a process can do its work. All checks together take less than a second, even if
 * something never answers. Each runs at most once at a time, and its result is reused for a while,
 * so that frequent requests cause no work. Thread-safe.
 */
public final class ReadinessChecks {
    public static final ReadinessChecks NONE = new ReadinessChecks(Map.of());

    private static final Duration PATIENCE = Duration.ofMillis(700);
    private static final Duration COUNTS_FOR = Duration.ofSeconds(1);

    private final List<Check> checks = new ArrayList<>();

    /** Each check returns what is wrong, or empty; it may block. */
    public ReadinessChecks(Map<String, Supplier<Optional<String>>> checks) {
        checks.forEach((name, ask) -> this.checks.add(new Check(name, ask)));
    }

    /** The first thing that is wrong, named; empty if nothing is. */
    Optional<String> wrong() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        // All begin before one is waited for.
        Map<String, Future<Optional<String>>> asked = new LinkedHashMap<>();
        checks.forEach(check -> asked.put(check.name, check.begin()));
        for (Map.Entry<String, Future<Optional<String>>> each : asked.entrySet()) {
            Optional<String> wrong = answer(each.getValue(), deadline - System.nanoTime());
            if (wrong.isPresent()) {
                return wrong.map(what -> each.getKey() + ": " + what);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> answer(Future<Optional<String>> asked, long nanos) {
        try {
            return asked.get(Math.max(nanos, 0), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            return Optional.of("does not answer");
        } catch (ExecutionException failed) {
            return Optional.of("cannot be asked");
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return Optional.of("is closing");
        }
    }

    private static final class Check {
        private final String name;
        private final Supplier<Optional<String>> ask;
        private @Nullable CompletableFuture<Optional<String>> asked;
        private long askedAt;

        Check(String name, Supplier<Optional<String>> ask) {
            this.name = name;
            this.ask = ask;
        }

        synchronized Future<Optional<String>> begin() {
            CompletableFuture<Optional<String>> before = asked;
            boolean old = System.nanoTime() - askedAt > COUNTS_FOR.toNanos();
            if (before != null && (!before.isDone() || !old)) {
                return before;
            }
            CompletableFuture<Optional<String>> begun =
                    CompletableFuture.supplyAsync(ask, task -> Thread.ofVirtual().start(task));
            asked = begun;
            askedAt = System.nanoTime();
            return begun;
        }
    }
}
