package dev.skep.transport.route;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Percent-encoding as in paths: a plus is a plus. */
public final class PercentEncoding {
    private static final int HEX = 16;

    private PercentEncoding() {}

    /** What is no code stays as it is. */
    public static String decode(String text) {
        byte[] raw = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length);
        for (int i = 0; i < raw.length; i++) {
            int high = raw[i] == '%' && i + 2 < raw.length ? Character.digit(raw[i + 1], HEX) : -1;
            int low = high < 0 ? -1 : Character.digit(raw[i + 2], HEX);
            if (low < 0) {
                bytes.write(raw[i]);
            } else {
                bytes.write(high * HEX + low);
                i += 2;
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
