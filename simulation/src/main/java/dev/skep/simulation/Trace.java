package dev.skep.simulation;

import java.io.PrintStream;

/** A readable account of one seed. */
final class Trace {
    private final PrintStream out;

    Trace(PrintStream out) {
        this.out = out;
    }

    void line(long millis, String text) {
        out.printf("%7d ms  %s%n", millis, text);
    }
}
