package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Request;
import io.javalin.http.Context;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A request's body, read no further than the limit whatever its header says. */
final class BoundedBody implements Request.Body {
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
            byte[] bytes = context.req().getInputStream().readNBytes(limit + 1);
            if (bytes.length > limit) {
                throw tooLarge();
            }
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
