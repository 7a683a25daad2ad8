package dev.skep.wire;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What goes over the socket of a link at once: JSON in a text frame, zstd of JSON in a binary frame
 * where that is worth it, or bytes of another kind of traffic behind a tag of one byte.
 */
@SuppressWarnings("ArrayRecordComponent") // handed to a socket, never compared
public record Frame(boolean binary, byte[] bytes) {
    /** The first byte of every compressed message; tags of other traffic differ from it. */
    public static final byte COMPRESSED = 0x28;

    private static final byte[] TYPE_FIRST = "{\"type\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_TYPE = 64;
    private static final int WORTH_COMPRESSING = 4_096;
    private static final int LEVEL = 1;

    public static Frame of(Message message) {
        byte[] json = MessageWriter.json(message);
        return json.length < WORTH_COMPRESSING
                ? new Frame(false, json)
                : new Frame(true, Zstd.compress(json, LEVEL));
    }

    public int size() {
        return bytes.length;
    }

    /** The first byte of a binary frame, by which links distinguish protocols; 0 if none. */
    public byte tag() {
        return binary && bytes.length > 0 ? bytes[0] : 0;
    }

    /**
     * The type of a message in a text frame, found without reading the message; empty if it does
     * not stand first, where every writer of ours puts it.
     */
    public String type() {
        if (binary || bytes.length < TYPE_FIRST.length) {
            return "";
        }
        for (int i = 0; i < TYPE_FIRST.length; i++) {
            if (bytes[i] != TYPE_FIRST[i]) {
                return "";
            }
        }
        int from = TYPE_FIRST.length;
        int last = Math.min(bytes.length, from + LONGEST_TYPE);
        for (int to = from; to < last; to++) {
            if (bytes[to] == '"') {
                return new String(bytes, from, to - from, StandardCharsets.US_ASCII);
            }
        }
        return "";
    }

    /** The JSON inside, or null if there is none of an acceptable size. */
    byte @Nullable [] json() {
        if (!binary) {
            return bytes.length > WireLimits.MESSAGE ? null : bytes;
        }
        // The size is what the frame claims; decompress never writes past the array of that size.
        long size = Zstd.getFrameContentSize(bytes);
        if (size <= 0 || size > WireLimits.MESSAGE) {
            return null;
        }
        try {
            byte[] json = new byte[(int) size];
            long written = Zstd.decompress(json, bytes);
            return !Zstd.isError(written) && written == size ? json : null;
        } catch (ZstdException notACompressedFrame) {
            return null;
        }
    }
}
