package dev.skep.simulation;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Many seeds, one thread per core; each seed is a world of its own. */
final class SeedRunner {
    /** One seed in so many sends its messages through the real codec. */
    private static final int ENCODED = 16;

    private static final int MOST_PRINTED = 20;

    private final @Nullable Rule without;
    private final boolean sqlite;

    SeedRunner(@Nullable Rule without, boolean sqlite) {
        this.without = without;
        this.sqlite = sqlite;
    }

    /** What became of many seeds; only some of the failed ones are kept. */
    record Result(List<Seed.Verdict> failed, long failures, Coverage coverage, double seconds) {}

    Seed.Verdict run(long seed, @Nullable Trace trace) {
        if (!sqlite) {
            return Seed.run(seed, without, MachineStores.inMemory(), seed % ENCODED == 0, trace);
        }
        try {
            Path folder = Files.createTempDirectory("skep-simulation");
            try {
                return Seed.run(seed, without, SqliteMachineStore.in(folder), true, trace);
            } finally {
                delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Runs seeds in a row, but no more of them once so many have failed. */
    Result run(long from, int count, int enough, PrintWriter progress) {
        long start = System.nanoTime();
        AtomicLong next = new AtomicLong(from);
        Coverage coverage = new Coverage();
        List<Seed.Verdict> failed = new ArrayList<>();
        AtomicLong failures = new AtomicLong();
        int threads = Runtime.getRuntime().availableProcessors();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int i = 0; i < threads; i++) {
                pool.execute(
                        () -> {
                            for (long seed = next.getAndIncrement();
                                    seed < from + count && failures.get() < enough;
                                    seed = next.getAndIncrement()) {
                                Seed.Verdict verdict = run(seed, null);
                                coverage.add(verdict.coverage());
                                if (verdict.broken() != null
                                        && failures.incrementAndGet() <= MOST_PRINTED) {
                                    synchronized (failed) {
                                        failed.add(verdict);
                                    }
                                }
                            }
                        });
            }
            pool.shutdown();
            while (!pool.awaitTermination(5, TimeUnit.SECONDS)) {
                progress.printf("%,d of %,d seeds%n", next.get() - from, count);
                progress.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        failed.sort(Comparator.comparingLong(Seed.Verdict::seed));
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Result(failed, failures.get(), coverage, seconds);
    }
}
