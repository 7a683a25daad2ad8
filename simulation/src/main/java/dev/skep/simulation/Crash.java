package dev.skep.simulation;

/** Ends what a machine is doing, wherever it is. */
final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Crash() {
        super(null, null, false, false);
    }
}
