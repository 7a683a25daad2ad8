package dev.skep.benchmark;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What the figures were measured on; absolute times mean little without it. */
final class BenchmarkMachine {
    private BenchmarkMachine() {}

    static String describe() {
        return String.format(
                Locale.ROOT,
                "%d cores, load %.2f, JDK %s, disk %s",
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.version(),
                diskKind());
    }

    private static String diskKind() {
        try {
            Path scratch = Path.of(System.getProperty("java.io.tmpdir"));
            return Files.getFileStore(scratch).type();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
