package dev.skep.runner.acp;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Permissions that wait for a decision, each on a thread of its own and answered once. */
final class PermissionThreads {
    private static final Logger log = LoggerFactory.getLogger(PermissionThreads.class);
    private static final PermissionOutcome CANCELLED = new PermissionOutcome.Cancelled();

    private final AcpHandler handler;
    private final BiConsumer<JsonNode, PermissionOutcome> answer;
    private final int most;
    private final AtomicLong last = new AtomicLong();
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();

    private record Waiting(JsonNode id, String sessionId, Thread thread) {}

    PermissionThreads(
            AcpHandler handler, int most, BiConsumer<JsonNode, PermissionOutcome> answer) {
        this.handler = handler;
        this.most = most;
        this.answer = answer;
    }

    void ask(JsonNode id, PermissionRequest request) {
        if (waiting.size() >= most) {
            answer.accept(id, CANCELLED);
            return;
        }
        long key = last.incrementAndGet();
        Thread thread =
                Thread.ofVirtual().name("acp-permission").unstarted(() -> decide(key, request));
        waiting.put(key, new Waiting(id, request.sessionId(), thread));
        thread.start();
    }

    private void decide(long key, PermissionRequest request) {
        PermissionOutcome outcome = CANCELLED;
        try {
            outcome = handler.permission(request);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.warn("a permission is cancelled: it could not be decided", e);
        }
        answerOnce(key, outcome);
    }

    private void answerOnce(long key, PermissionOutcome outcome) {
        Waiting answered = waiting.remove(key);
        if (answered != null) {
            answer.accept(answered.id(), outcome);
        }
    }

    /** What waits for this session is answered with cancelled. */
    void withdrawSession(String sessionId) {
        withdraw(each -> each.sessionId().equals(sessionId));
    }

    /** The agent itself no longer wants to know; false if it does not wait for that. */
    boolean withdrawRequest(JsonNode id) {
        return withdraw(each -> each.id().equals(id));
    }

    void withdrawAll() {
        withdraw(each -> true);
    }

    private boolean withdraw(Predicate<Waiting> which) {
        boolean found = false;
        for (Map.Entry<Long, Waiting> each : waiting.entrySet()) {
            if (which.test(each.getValue())) {
                found = true;
                answerOnce(each.getKey(), CANCELLED);
                each.getValue().thread().interrupt();
            }
        }
        return found;
    }
}
