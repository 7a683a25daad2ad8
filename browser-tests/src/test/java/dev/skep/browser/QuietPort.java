package dev.skep.browser;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A free port that no process is given by chance: below those that systems hand out. */
final class QuietPort {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;

    private QuietPort() {}

    static int find() {
        for (int tries = 0; tries < 100; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (IOException taken) {
                // another one then
            }
        }
        throw new AssertionError("no free port between %d and %d".formatted(FIRST, LAST));
    }
}
