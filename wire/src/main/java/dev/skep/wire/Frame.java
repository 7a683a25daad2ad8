package dev.skep.wire;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import org.jspecify.annotations.Nullable;

/**
 * A message as it goes over the socket: JSON in a text frame, or zstd of it in a binary frame when
 * that is worth it.
 */
@SuppressWarnings("ArrayRecordComponent") // handed to a socket, never compared
public record Frame(boolean compressed, byte[] bytes) {
    private static final int WORTH_COMPRESSING = 4_096;
    private static final int LEVEL = 1;

    static Frame of(byte[] json) {
        return json.length < WORTH_COMPRESSING
                ? new Frame(false, json)
                : new Frame(true, Zstd.compress(json, LEVEL));
    }

    /** The JSON inside, or null if there is none of an acceptable size. */
    byte @Nullable [] json() {
        if (!compressed) {
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
