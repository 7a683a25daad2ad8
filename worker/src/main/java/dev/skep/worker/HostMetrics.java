package dev.skep.worker;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** How much of this machine's cpu, memory and disk is in use, each as a share from 0 to 1. */
public final class HostMetrics implements Supplier<Map<String, Double>> {
    private final Path disk;

    /**
     * Of this machine.
     *
     * @param disk any file on the disk to look at
     */
    public HostMetrics(Path disk) {
        this.disk = disk;
    }

    @Override
    public Map<String, Double> get() {
        Map<String, Double> shares = new TreeMap<>();
        if (ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system) {
            put(shares, "cpu", system.getCpuLoad());
            put(shares, "memory", memory(system));
        }
        try {
            FileStore store = Files.getFileStore(disk);
            put(shares, "disk", 1 - (double) store.getUsableSpace() / store.getTotalSpace());
        } catch (IOException gone) {
            // this folder is left out
        }
        return shares;
    }

    /** By available memory, if the system reports it: caches do not count as used. */
    private static double memory(com.sun.management.OperatingSystemMXBean system) {
        double total = system.getTotalMemorySize();
        try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
            return lines.filter(line -> line.startsWith("MemAvailable:"))
                    .map(line -> line.replaceAll("\\D", ""))
                    .mapToDouble(Double::parseDouble)
                    .map(kilobytes -> 1 - kilobytes * 1_024 / total)
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException notLinux) {
            return 1 - system.getFreeMemorySize() / total;
        }
    }

    private static void put(Map<String, Double> shares, String name, double share) {
        if (share >= 0 && share <= 1) {
            shares.put(name, Math.round(share * 1_000) / 1_000.0);
        }
    }
}
