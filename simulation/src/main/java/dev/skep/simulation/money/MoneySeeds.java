package dev.skep.simulation.money;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Many seeds, one thread per core; each seed is a world of its own. */
public final class MoneySeeds {
    private static final int MOST_PRINTED = 20;

    private final @Nullable MoneyRule without;

    public MoneySeeds(@Nullable MoneyRule without) {
        this.without = without;
    }

    /** A seed that broke a limit, or left a fleet that cannot spend. */
    public record Failure(long seed, String what) {}

    /**
     * What became of many seeds.
     *
     * @param calls how many calls were paid
     * @param never the faults that did not happen
     */
    public record Result(
            List<Failure> failed, long failures, long calls, Set<String> never, double seconds) {}

    /** Runs one and tells its story. */
    public @Nullable String run(long seed, @Nullable PrintWriter story) {
        return new MoneyWorld(seed, without, story).run();
    }

    /** Runs seeds in a row, but no more of them once so many have failed. */
    public Result run(long from, int count, int enough) {
        long start = System.nanoTime();
        AtomicLong next = new AtomicLong(from);
        AtomicLong failures = new AtomicLong();
        AtomicLong calls = new AtomicLong();
        List<Failure> failed = new ArrayList<>();
        EnumSet<MoneyFault> happened = EnumSet.noneOf(MoneyFault.class);
        int threads = Runtime.getRuntime().availableProcessors();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int i = 0; i < threads; i++) {
                pool.execute(
                        () -> {
                            for (long seed = next.getAndIncrement();
                                    seed < from + count && failures.get() < enough;
                                    seed = next.getAndIncrement()) {
                                MoneyWorld world = new MoneyWorld(seed, without, null);
                                String broken = world.run();
                                calls.addAndGet(world.calls());
                                synchronized (failed) {
                                    happened.addAll(world.happened().keySet());
                                    if (broken != null
                                            && failures.incrementAndGet() <= MOST_PRINTED) {
                                        failed.add(new Failure(seed, broken));
                                    }
                                }
                            }
                        });
            }
            pool.shutdown();
            boolean unused = pool.awaitTermination(1, TimeUnit.DAYS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        failed.sort(Comparator.comparingLong(Failure::seed));
        Set<String> never =
                EnumSet.complementOf(happened).stream().map(Enum::name).collect(Collectors.toSet());
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Result(failed, failures.get(), calls.get(), never, seconds);
    }
}
