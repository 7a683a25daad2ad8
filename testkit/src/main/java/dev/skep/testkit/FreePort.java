package dev.skep.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port of this machine that is free at the moment, for servers that need a fixed one. It is below
 * those that the system gives to connections, one of which could take it in the meantime.
 */
public final class FreePort {
    private FreePort() {}

    public static int any() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(12_000, 20_000);
            try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (IOException taken) {
                // another one, then
            }
        }
    }
}
