package dev.skep.runner.files;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The formats of images that every provider takes, told by the first bytes of a file. */
public enum ImageFormat {
    PNG("\u0089PNG\r\n\u001a\n"),
    JPEG("\u00ff\u00d8\u00ff"),
    GIF("GIF8"),
    WEBP("RIFF....WEBP");

    private static final int HEAD = 12;

    private final Pattern begin;

    ImageFormat(String begin) {
        this.begin = Pattern.compile(begin, Pattern.DOTALL);
    }

    /** Empty for what is none of these. */
    public static Optional<ImageFormat> of(byte[] bytes) {
        String head =
                new String(bytes, 0, Math.min(HEAD, bytes.length), StandardCharsets.ISO_8859_1);
        return Stream.of(values())
                .filter(format -> format.begin.matcher(head).lookingAt())
                .findFirst();
    }

    public String mimeType() {
        return "image/" + name().toLowerCase(Locale.ROOT);
    }
}
