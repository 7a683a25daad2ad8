package dev.skep.app.assembly;

import java.time.InstantSource;

/** The only place that asks the machine for the time; everybody else is given a clock. */
public final class SystemTime {
    private SystemTime() {}

    public static InstantSource clock() {
        return InstantSource.system();
    }
}
