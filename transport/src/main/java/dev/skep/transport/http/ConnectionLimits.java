package dev.skep.transport.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The limits on connections of a listener. A <i>stranger</i> is a connection that has not
 * authenticated.
 *
 * @param all connections at once; one address has three quarters of them at most
 * @param strangers of one address at once
 * @param head how long the first request's head may take, from the connection's beginning
 * @param exchange how long a stranger's request may take, its body and the answer included
 * @param rest how long a connection may be without a request after its last one
 */
public record ConnectionLimits(
        int all, int strangers, Duration head, Duration exchange, Duration rest) {
    private static final int STRANGERS = 1_000;
    private static final int MOST = 50_000;

    /** Where the system does not report a limit; what macOS gives a Java process. */
    private static final int DESCRIPTORS = 10_240;

    /** Half of what this process may open: the rest is for the databases, links and files. */
    public static final ConnectionLimits USUAL = share(0.5);

    /** A part of what this process may open. */
    public static ConnectionLimits share(double part) {
        int all = Math.clamp((long) (descriptors() * part), 16, MOST);
        return new ConnectionLimits(
                all,
                Math.min(STRANGERS, all / 2),
                Duration.ofSeconds(15),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60));
    }

    /** All connections of one address, strangers or not. */
    int ofOneAddress() {
        return all - all / 4;
    }

    /** From the system itself: Java's own answer costs a tenth of a second at a start. */
    private static int descriptors() {
        try {
            return Files.readAllLines(Path.of("/proc/self/limits")).stream()
                    .filter(line -> line.startsWith("Max open files"))
                    .map(line -> line.split("\\s+", -1)[3])
                    .map(soft -> soft.equals("unlimited") ? MOST * 2 : number(soft))
                    .findFirst()
                    .orElse(DESCRIPTORS);
        } catch (IOException elsewhere) {
            return DESCRIPTORS;
        }
    }

    private static int number(String digits) {
        return digits.matches("[0-9]{1,9}") ? Integer.parseInt(digits) : MOST * 2;
    }
}
