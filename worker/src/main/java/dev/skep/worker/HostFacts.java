package dev.skep.worker;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this host says of itself for tests of labels: {@code os}, {@code arch}, {@code cpus}, {@code
 * memory} in GiB, and {@code runtime.NAME} for each runtime that is installed. Looked up once: a
 * program that is installed later counts from the next start.
 */
final class HostFacts implements Supplier<Map<String, String>> {
    private static final Logger LOG = LoggerFactory.getLogger(HostFacts.class);
    private static final long GIB = 1L << 30;

    private final Supplier<List<String>> runtimes;
    private final AtomicBoolean isAsked = new AtomicBoolean();
    private volatile Map<String, String> known = ofMachine();

    HostFacts(Supplier<List<String>> runtimes) {
        this.runtimes = runtimes;
    }

    /** Without runtimes until it is known which are there: no heartbeat waits for that. */
    @Override
    public Map<String, String> get() {
        if (isAsked.compareAndSet(false, true)) {
            Thread.ofVirtual().name("runtimes-found").start(this::addRuntimes);
        }
        return known;
    }

    private void addRuntimes() {
        try {
            Map<String, String> facts = new TreeMap<>(known);
            runtimes.get().forEach(name -> facts.put("runtime." + name, "yes"));
            known = Map.copyOf(facts);
        } catch (RuntimeException e) {
            LOG.warn("no runtimes are reported to hubs: {}", e.getMessage());
        }
    }

    private static Map<String, String> ofMachine() {
        Map<String, String> facts = new TreeMap<>();
        facts.put("os", os(System.getProperty("os.name", "")));
        facts.put("arch", arch(System.getProperty("os.arch", "")));
        facts.put("cpus", Integer.toString(Runtime.getRuntime().availableProcessors()));
        if (ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system) {
            // What is sold as 32 GB shows as a little less.
            facts.put(
                    "memory",
                    Long.toString(Math.round((double) system.getTotalMemorySize() / GIB)));
        }
        return Map.copyOf(facts);
    }

    static String os(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.startsWith("mac")) {
            return "macos";
        }
        return lower.startsWith("windows") ? "windows" : lower.replace(' ', '-');
    }

    static String arch(String name) {
        return switch (name) {
            case "x86_64" -> "amd64";
            case "aarch64" -> "arm64";
            default -> name;
        };
    }
}
