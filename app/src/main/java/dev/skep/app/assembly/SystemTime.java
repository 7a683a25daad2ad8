package dev.skep.app.assembly;

import java.time.InstantSource;

/** The only place that reads the machine's time; everything else gets a clock. */
public final class SystemTime {
    private SystemTime() {}

    public static InstantSource clock() {
        return InstantSource.system();
    }
}
