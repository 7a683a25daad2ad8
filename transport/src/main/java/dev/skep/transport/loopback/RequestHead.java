package dev.skep.transport.loopback;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The request line and headers.
 *
 * @param headers by lower-case name, the first value of each
 * @param length of the body; -1 for one in chunks
 */
record RequestHead(
        String method,
        String path,
        @Nullable String query,
        Map<String, String> headers,
        long length,
        boolean keepAlive) {
    private static final int LONGEST = 64 << 10;
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}");
    private static final Pattern TARGET = Pattern.compile("/[\\x21-\\x7e]*");

    /** Those of which a second one would make it unclear where the request ends. */
    private static final Set<String> ONLY_ONCE =
            Set.of("host", "content-length", "transfer-encoding");

    /** Empty when the client closed before a request began. */
    static Optional<RequestHead> read(InputStream in) throws IOException {
        String line = line(in, LONGEST);
        if (line == null) {
            return Optional.empty();
        }
        String[] parts = line.split(" ", -1);
        if (parts.length != 3
                || !TOKEN.matcher(parts[0]).matches()
                || !TARGET.matcher(parts[1]).matches()
                || !parts[2].matches("HTTP/1\\.[01]")) {
            throw new MalformedRequestException(400, "the request line is malformed");
        }
        return Optional.of(of(parts, headers(in, LONGEST - line.length())));
    }

    private static RequestHead of(String[] parts, Map<String, String> headers)
            throws MalformedRequestException {
        int mark = parts[1].indexOf('?');
        String connection = headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
        return new RequestHead(
                parts[0],
                mark < 0 ? parts[1] : parts[1].substring(0, mark),
                mark < 0 ? null : parts[1].substring(mark + 1),
                Map.copyOf(headers),
                length(headers),
                parts[2].equals("HTTP/1.1") && !connection.contains("close"));
    }

    private static Map<String, String> headers(InputStream in, int room) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        int left = room;
        for (String line = line(in, left); line == null || !line.isEmpty(); line = line(in, left)) {
            int colon = line == null ? -1 : line.indexOf(':');
            if (line == null || colon < 1 || !TOKEN.matcher(line.substring(0, colon)).matches()) {
                throw new MalformedRequestException(400, "a header is malformed");
            }
            left -= line.length();
            String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
            String before = headers.putIfAbsent(name, line.substring(colon + 1).strip());
            if (before != null && ONLY_ONCE.contains(name)) {
                throw new MalformedRequestException(400, name + " is there twice");
            }
        }
        return headers;
    }

    private static long length(Map<String, String> headers) throws MalformedRequestException {
        String coding = headers.get("transfer-encoding");
        String length = headers.get("content-length");
        if (coding != null) {
            if (!coding.equalsIgnoreCase("chunked") || length != null) {
                throw new MalformedRequestException(400, "the length of the body is unclear");
            }
            return -1;
        }
        if (length == null) {
            return 0;
        }
        if (!length.matches("[0-9]{1,18}")) {
            throw new MalformedRequestException(400, "content-length is malformed");
        }
        return Long.parseLong(length);
    }

    /** A line without its end; null at the end of the connection. */
    static @Nullable String line(InputStream in, int longest) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(128);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                if (line.size() == 0) {
                    return null;
                }
                throw new MalformedRequestException(400, "the request ends early");
            }
            if (line.size() >= longest) {
                throw new MalformedRequestException(431, "the headers are too long");
            }
            line.write(next);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
}
