package dev.skep.worker;

/** Where a run's output goes, piece by piece; what is beyond the bound is left out. Thread-safe. */
@FunctionalInterface
public interface RunOutput {
    void write(String stream, String text);
}
