package dev.skep.simulation;

import java.io.PrintWriter;

/** A readable account of one seed. */
final class Trace {
    private final PrintWriter out;

    Trace(PrintWriter out) {
        this.out = out;
    }

    void line(long millis, String text) {
        out.printf("%7d ms  %s%n", millis, text);
    }
}
