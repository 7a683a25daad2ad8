package dev.skep.kernel.lifecycle;

/** Something that runs between {@link #start} and {@link #close}; closing twice is harmless. */
public interface Component extends AutoCloseable {
    void start();

    @Override
    void close();
}
