package dev.skep.store.clock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Reads the wall clock and the boot-time clock of this machine. Where the system has no file for
 * the latter, the process counts as the machine: a new process is a new start. Thread-safe.
 */
public final class MachineClock implements Supplier<ClockReading> {
    private static final Path UPTIME = Path.of("/proc/uptime");
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final InstantSource wall;
    private final String bootId;
    private final boolean ofSystem;

    private MachineClock(InstantSource wall, String bootId, boolean ofSystem) {
        this.wall = wall;
        this.bootId = bootId;
        this.ofSystem = ofSystem;
    }

    public static MachineClock open(InstantSource wall) {
        try {
            long readable = uptime();
            String id = Files.readString(BOOT_ID, StandardCharsets.US_ASCII).strip();
            return new MachineClock(wall, id, readable >= 0);
        } catch (IOException | NumberFormatException notLinux) {
            return new MachineClock(wall, UUID.randomUUID().toString(), false);
        }
    }

    @Override
    public ClockReading get() {
        return new ClockReading(wall.millis(), boot(), bootId);
    }

    private long boot() {
        if (!ofSystem) {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }
        try {
            return uptime();
        } catch (IOException e) {
            throw new UncheckedIOException("the boot-time clock cannot be read", e);
        }
    }

    /** Seconds with two decimals, then how long the processors were idle. */
    private static long uptime() throws IOException {
        String text = Files.readString(UPTIME, StandardCharsets.US_ASCII);
        int dot = text.indexOf('.');
        int end = text.indexOf(' ');
        if (dot < 0 || end < dot) {
            throw new NumberFormatException("uptime");
        }
        long hundredths = Long.parseLong(text.substring(0, dot) + text.substring(dot + 1, end));
        return hundredths * 10;
    }
}
