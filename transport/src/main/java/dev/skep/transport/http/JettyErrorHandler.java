package dev.skep.transport.http;

import dev.skep.transport.route.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Errors of the server below the listener, as problem documents of the product. */
final class JettyErrorHandler extends ErrorHandler {
    private static final Logger LOG = LoggerFactory.getLogger(JettyErrorHandler.class);

    private final RateLimitedLog log = new RateLimitedLog(LOG::info);

    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int status,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        String from = Request.getRemoteAddr(request);
        logError(status, cause, from);
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.CONTENT_TYPE);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        SecurityHeaders.ALWAYS.forEach(response.getHeaders()::put);
        response.write(true, ByteBuffer.wrap(body(status)), callback);
    }

    private void logError(int status, @Nullable Throwable cause, String from) {
        if (status >= 500) {
            log.report(
                    "the server failed with status " + status,
                    () -> LOG.error("request failed status={} from={}", status, from, cause));
        } else {
            log.report(
                    "malformed requests refused with status " + status,
                    () -> LOG.info("malformed request refused status={} from={}", status, from));
        }
    }

    private static byte[] body(int status) {
        return Json.text(HttpProblems.of(status)).getBytes(StandardCharsets.UTF_8);
    }
}
