package dev.skep.app.doctor;

import java.util.List;

/** The JVM this runs on, and the memory it may take. */
final class JavaCheck implements Check {
    private static final int NEEDED = 25;
    private static final long LEAST_HEAP = 128L << 20;

    @Override
    public List<Finding> findings() {
        Runtime.Version version = Runtime.version();
        if (version.feature() != NEEDED) {
            return List.of(
                    Finding.problem(
                            "java",
                            "Java " + version,
                            "install a JDK %d or point JAVA_HOME at one".formatted(NEEDED)));
        }
        long heap = Runtime.getRuntime().maxMemory();
        String says =
                "Java %s at %s, up to %s of heap"
                        .formatted(version, System.getProperty("java.home"), ByteSizes.shown(heap));
        return List.of(
                heap < LEAST_HEAP
                        ? Finding.warning("java", says, "give it more: SKEP_JAVA_OPTS=-Xmx256m")
                        : Finding.ok("java", says));
    }
}
