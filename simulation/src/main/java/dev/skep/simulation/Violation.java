package dev.skep.simulation;

/** A broken invariant, in words. */
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String what) {
        super(what, null, false, false);
    }
}
