package dev.skep.transport.loopback;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** An answer; what is written goes out with the next flush, in one piece with its frame. */
final class ResponseStream extends OutputStream {
    private static final int BUFFER = 16 << 10;
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Longest form of a chunk's length with the two line ends around it. */
    private static final int AROUND_A_CHUNK = 12;

    private final OutputStream out;
    private final boolean chunked;
    private final boolean silent;
    private byte[] head;
    private final byte[] buffer = new byte[BUFFER];
    private int filled;
    private long promised;

    /**
     * Sends nothing yet.
     *
     * @param silent for an answer that has no body whatever its headers say
     */
    ResponseStream(
            OutputStream out,
            int status,
            Map<String, String> headers,
            boolean keepAlive,
            boolean silent) {
        this.out = out;
        this.silent = silent || status == 204 || status == 304;
        String length = value(headers, "content-length");
        this.chunked = length.isEmpty() && !this.silent;
        this.promised = length.isEmpty() || this.silent ? 0 : Long.parseLong(length);
        StringBuilder text = new StringBuilder(256);
        text.append("HTTP/1.1 ").append(status).append(" \r\n");
        headers.forEach((name, value) -> text.append(clean(name + ": " + value)).append("\r\n"));
        if (chunked) {
            text.append("transfer-encoding: chunked\r\n");
        }
        if (!keepAlive) {
            text.append("connection: close\r\n");
        }
        this.head = text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String value(Map<String, String> headers, String name) {
        return headers.entrySet().stream()
                .filter(header -> header.getKey().toLowerCase(Locale.ROOT).equals(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    private static String clean(String header) {
        return header.replaceAll("[\\r\\n]", " ");
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (silent) {
            return;
        }
        if (!chunked) {
            promised -= length;
            if (promised < 0) {
                throw new IOException("the answer is longer than its content-length");
            }
        }
        int at = from;
        for (int left = length; left > 0; ) {
            if (filled == BUFFER) {
                flush();
            }
            int step = Math.min(left, BUFFER - filled);
            System.arraycopy(bytes, at, buffer, filled, step);
            filled += step;
            at += step;
            left -= step;
        }
    }

    @Override
    public void flush() throws IOException {
        send(false);
    }

    /** Ends the answer so that another may follow on the connection. */
    void finish() throws IOException {
        if (promised > 0) {
            throw new IOException("the answer is shorter than its content-length");
        }
        send(chunked);
    }

    private void send(boolean last) throws IOException {
        byte[] frame =
                new byte[head.length + filled + AROUND_A_CHUNK + (last ? LAST_CHUNK.length : 0)];
        int at = put(frame, 0, head, head.length);
        head = new byte[0];
        if (filled > 0) {
            byte[] size =
                    (Integer.toHexString(filled) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            at = chunked ? put(frame, at, size, size.length) : at;
            at = put(frame, at, buffer, filled);
            at = chunked ? put(frame, at, new byte[] {'\r', '\n'}, 2) : at;
            filled = 0;
        }
        if (last) {
            at = put(frame, at, LAST_CHUNK, LAST_CHUNK.length);
        }
        if (at > 0) {
            out.write(frame, 0, at);
            out.flush();
        }
    }

    private static int put(byte[] into, int at, byte[] from, int length) {
        System.arraycopy(from, 0, into, at, length);
        return at + length;
    }

    /** Only the end of the handler ends an answer; until then it is flushed. */
    @Override
    public void close() throws IOException {
        flush();
    }
}
