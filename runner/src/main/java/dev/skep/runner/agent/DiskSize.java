package dev.skep.runner.agent;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An amount of disk space. */
public record DiskSize(long bytes) {
    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,9}) *(KB|MB|GB|TB)");
    private static final long KB = 1L << 10;
    private static final long MB = 1L << 20;
    private static final long GB = 1L << 30;

    /** Reads {@code 500MB} or {@code 2GB}. */
    public static DiskSize parse(String text) {
        Matcher matcher = WRITTEN.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw new IllegalArgumentException(
                    "'%s' is not a size; write for example 500MB or 2GB".formatted(text));
        }
        long unit =
                switch (matcher.group(2)) {
                    case "KB" -> KB;
                    case "MB" -> MB;
                    case "GB" -> GB;
                    default -> GB * 1_024;
                };
        return new DiskSize(Long.parseLong(matcher.group(1)) * unit);
    }

    /** Rounded to what people compare. */
    @Override
    public String toString() {
        if (bytes < MB) {
            return (bytes + KB - 1) / KB + " KB";
        }
        return bytes < 10 * GB ? "%,d MB".formatted(bytes / MB) : "%,d GB".formatted(bytes / GB);
    }
}
