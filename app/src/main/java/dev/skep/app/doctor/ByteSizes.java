package dev.skep.app.doctor;

import java.util.Locale;

/** Formats bytes for people. */
final class ByteSizes {
    private ByteSizes() {}

    static String shown(long bytes) {
        if (bytes < 1 << 20) {
            return (bytes + 1023) / 1024 + " KB";
        }
        return bytes < 10L << 30
                ? (bytes >> 20) + " MB"
                : String.format(Locale.ROOT, "%d GB", bytes >> 30);
    }
}
