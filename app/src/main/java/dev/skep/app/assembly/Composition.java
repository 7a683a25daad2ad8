package dev.skep.app.assembly;

/** Which parts of the product run in one process, on one port. */
public record Composition(boolean runner, boolean hub, boolean supervisor) {
    /** The whole product on one machine. */
    public static final Composition UP = new Composition(true, true, true);

    public static Composition run(boolean hub, boolean supervisor) {
        return new Composition(true, hub, supervisor);
    }

    public static Composition hubOnly(boolean supervisor) {
        return new Composition(false, true, supervisor);
    }
}
