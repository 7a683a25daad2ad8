package dev.skep.transport.socket;

import java.nio.charset.StandardCharsets;

/** Close frames have room for 123 bytes of reason. */
public final class CloseReasons {
    private static final int ROOM = 123;

    private CloseReasons() {}

    public static String fitting(String reason) {
        String fits = reason;
        while (fits.getBytes(StandardCharsets.UTF_8).length > ROOM) {
            fits = fits.substring(0, fits.offsetByCodePoints(fits.length(), -1));
        }
        return fits;
    }
}
