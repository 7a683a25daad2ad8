package dev.skep.benchmark;

/** A group of figures that belong together; one class per capability. */
public interface Benchmark {
    String name();

    /** Measures and reports; {@code quick} is the same work at a tenth of the size. */
    void run(BenchmarkReport report, boolean quick) throws Exception;
}
