package dev.skep.registry.proxy;

/** Counts what all sessions relay. Thread-safe. */
public interface RelayMeter {
    void opened();

    void relayed(int size);

    void ended();
}
