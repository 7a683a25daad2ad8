package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Request;
import io.javalin.http.Context;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/**
 * A request's body, read no further than the limit whatever its header says, and no slower than any
 * network is.
 */
final class BoundedBody implements Request.Body {
    /** Bytes a second, after the grace. */
    private static final long SLOWEST = 1_000;

    private static final long GRACE_SECONDS = 10;

    private final Context context;
    private final int limit;

    BoundedBody(Context context, int limit) {
        this.context = context;
        this.limit = limit;
        if (context.req().getContentLengthLong() > limit) {
            throw tooLarge();
        }
    }

    @Override
    public byte[] bytes() {
        try {
            return read(context.req().getInputStream());
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "the body ends early or is malformed; send it again", e);
        }
    }

    private byte[] read(InputStream in) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        byte[] part = new byte[8 << 10];
        long begun = System.nanoTime();
        for (int length = in.read(part); length >= 0; length = in.read(part)) {
            whole.write(part, 0, length);
            if (whole.size() > limit) {
                throw tooLarge();
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
            if (seconds > GRACE_SECONDS && whole.size() < (seconds - GRACE_SECONDS) * SLOWEST) {
                throw new SkepException(
                        ErrorCode.BAD_REQUEST, "the body comes too slowly; send it at once");
            }
        }
        return whole.toByteArray();
    }

    @Override
    public InputStream stream() {
        return new ByteArrayInputStream(bytes());
    }

    private SkepException tooLarge() {
        return new SkepException(
                ErrorCode.REQUEST_TOO_LARGE,
                "the body is longer than %,d bytes; send less at once".formatted(limit));
    }
}
