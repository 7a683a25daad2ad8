package dev.skep.app.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/**
 * How long a person has been waiting since they pressed Enter: the launcher becomes the JVM by
 * exec, so the process is as old as the launcher's first instruction, a build included.
 */
final class ProcessAge {
    /** In hundredths of a second: USER_HZ is 100 on every Linux that a JDK 25 runs on. */
    private static final int STARTED = 22;

    private ProcessAge() {}

    static Duration now(InstantSource clock) {
        try {
            return ofLinux(
                    Files.readString(Path.of("/proc/self/stat")),
                    Files.readString(Path.of("/proc/uptime")));
        } catch (IOException notLinux) {
            return ProcessHandle.current()
                    .info()
                    .startInstant()
                    .map(started -> Duration.between(started, clock.instant()))
                    .orElse(Duration.ZERO);
        }
    }

    /** Both count from the boot; the JDK's own answer adds a time of boot in whole seconds. */
    static Duration ofLinux(String stat, String uptime) {
        // The name, second in the line, may hold spaces and brackets.
        String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long started = Long.parseLong(afterName[STARTED - 3]) * 10;
        long now = Math.round(Double.parseDouble(uptime.substring(0, uptime.indexOf(' '))) * 1_000);
        return Duration.ofMillis(now - started);
    }
}
