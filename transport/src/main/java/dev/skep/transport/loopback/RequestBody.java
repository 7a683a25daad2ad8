package dev.skep.transport.loopback;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The body of one request, in chunks or not, read no further than its end or the limit. */
final class RequestBody extends InputStream {
    /** Sent before the first byte is waited for, when the client asked for it. */
    @FunctionalInterface
    interface Invitation {
        void send() throws IOException;
    }

    private static final int LONGEST_LINE = 1_024;

    private final InputStream in;
    private final boolean chunked;
    private final long limit;
    private @Nullable Invitation invitation;
    private long left;
    private long read;
    private boolean first = true;
    private boolean ended;

    RequestBody(InputStream in, long length, long limit, @Nullable Invitation invitation) {
        this.in = in;
        this.chunked = length < 0;
        this.left = Math.max(0, length);
        this.limit = limit;
        this.invitation = invitation;
        this.ended = length == 0;
    }

    boolean ended() {
        return ended;
    }

    /**
     * Reads what a handler left, so that the next request can follow; whether that was worth it.
     */
    boolean drained(int atMost) throws IOException {
        if (!ended && invitation != null) {
            return false;
        }
        return ended || (readNBytes(atMost).length < atMost && ended);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (ended || length == 0) {
            return ended ? -1 : 0;
        }
        invite();
        if (left == 0 && chunked && !nextChunk()) {
            return -1;
        }
        if (read + left > limit) {
            throw new BodyTooLongException(limit);
        }
        int got = in.read(bytes, from, (int) Math.min(length, left));
        if (got < 0) {
            throw new EOFException("the body ends early");
        }
        left -= got;
        read += got;
        ended = left == 0 && !chunked;
        return got;
    }

    private void invite() throws IOException {
        Invitation waiting = invitation;
        invitation = null;
        if (waiting != null) {
            waiting.send();
        }
    }

    private boolean nextChunk() throws IOException {
        if (!first && !"".equals(RequestHead.line(in, LONGEST_LINE))) {
            throw new MalformedRequestException(400, "a chunk is longer than it says");
        }
        first = false;
        String line = RequestHead.line(in, LONGEST_LINE);
        String size = line == null ? "" : line.replaceFirst(";.*", "").strip();
        if (!size.matches("[0-9A-Fa-f]{1,15}")) {
            throw new MalformedRequestException(400, "a chunk has no length");
        }
        left = Long.parseLong(size, 16);
        if (left == 0) {
            endOfChunks();
            return false;
        }
        return true;
    }

    private void endOfChunks() throws IOException {
        for (int trailers = 0; trailers < 64; trailers++) {
            if ("".equals(RequestHead.line(in, LONGEST_LINE))) {
                ended = true;
                return;
            }
        }
        throw new MalformedRequestException(400, "too much follows the body");
    }
}
