package dev.skep.transport.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An HTTP call with a bounded answer and a deadline for the whole. The JDK's request timeout ends
 * with the headers of the answer; a server that sends a body without end, or a byte a minute, would
 * otherwise fill the memory and block the caller for ever.
 */
public final class BoundedExchange {
    /** Enough for any single answer of a hub. */
    public static final long USUAL_BYTES = 2L << 20;

    /** For the body, when the head is there: a slow line takes its time. */
    public static final Duration USUAL_BODY = Duration.ofMinutes(2);

    private static final Duration USUAL_HEAD = Duration.ofSeconds(30);

    private BoundedExchange() {}

    /** With the usual time for the body. */
    public static <T> HttpResponse<T> send(
            HttpClient client, HttpRequest request, BodyHandler<T> handler, long mostBytes)
            throws IOException, InterruptedException {
        return send(client, request, handler, mostBytes, USUAL_BODY);
    }

    static <T> HttpResponse<T> send(
            HttpClient client,
            HttpRequest request,
            BodyHandler<T> handler,
            long mostBytes,
            Duration body)
            throws IOException, InterruptedException {
        Duration whole = request.timeout().orElse(USUAL_HEAD).plus(body);
        CompletableFuture<HttpResponse<T>> answer =
                client.sendAsync(request, BodyHandlers.limiting(handler, mostBytes));
        try {
            return answer.get(whole.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new HttpTimeoutException("no whole answer within " + whole);
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failed) {
                throw failed;
            }
            throw new IOException(e.getCause());
        }
    }
}
