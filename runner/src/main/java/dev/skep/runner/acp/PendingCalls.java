package dev.skep.runner.acp;

import dev.skep.runner.acp.AcpException.Failure;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What was asked of the agent and is not answered yet, by our own ids; thread-safe. */
final class PendingCalls {
    private final Map<Long, Call> open = new HashMap<>();
    private long next;
    private @Nullable String ended;

    /** One question. */
    record Call(long id, String method, CompletableFuture<JsonNode> answer) {}

    synchronized Call open(String method) throws AcpException {
        if (ended != null) {
            throw new AcpException(Failure.ENDED, "%s: %s".formatted(method, ended));
        }
        Call call = new Call(next++, method, new CompletableFuture<>());
        open.put(call.id(), call);
        return call;
    }

    /** False if nobody waits for that. */
    boolean answer(long id, JsonNode message) {
        Call call;
        synchronized (this) {
            call = open.remove(id);
        }
        return call != null && call.answer().complete(message);
    }

    void end(String why) {
        Map<Long, Call> left;
        synchronized (this) {
            ended = ended == null ? why : ended;
            left = Map.copyOf(open);
            open.clear();
        }
        left.values()
                .forEach(
                        call ->
                                call.answer()
                                        .completeExceptionally(
                                                new AcpException(
                                                        Failure.ENDED,
                                                        "%s: %s".formatted(call.method(), why))));
    }

    /**
     * The whole answer, once it is there.
     *
     * @param limit null for none
     */
    JsonNode await(Call call, @Nullable Duration limit) throws AcpException, InterruptedException {
        try {
            return limit == null
                    ? call.answer().get()
                    : call.answer().get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AcpException known) {
                throw new AcpException(known.failure(), String.valueOf(known.getMessage()));
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new AcpException(
                    Failure.SILENT,
                    "%s: no answer within %s".formatted(call.method(), seconds(limit)));
        } finally {
            synchronized (this) {
                open.remove(call.id());
            }
        }
    }

    /** A time in words. */
    static String seconds(Duration time) {
        return BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros().toPlainString()
                + " seconds";
    }
}
