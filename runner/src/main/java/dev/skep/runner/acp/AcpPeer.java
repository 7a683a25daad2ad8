package dev.skep.runner.acp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** JSON-RPC in both directions: reads on one thread, and ends once. */
final class AcpPeer {
    private static final Logger log = LoggerFactory.getLogger(AcpPeer.class);
    private static final int NO_METHOD = -32_601;

    private final InputStream fromAgent;
    private final OutputStream toAgent;
    private final AcpHandler handler;
    private final AcpLimits limits;
    private final JsonMapper mapper;
    private final PendingCalls calls = new PendingCalls();
    private final LineWriter writer;
    private final PermissionThreads permissions;
    private final MessageLineFilter garbage;
    private final AtomicLong ignored = new AtomicLong();
    private final AtomicReference<@Nullable String> ended = new AtomicReference<>();

    /** Held while the handler hears something, so that closed comes last. */
    private final ReentrantLock telling = new ReentrantLock();

    AcpPeer(
            InputStream fromAgent,
            OutputStream toAgent,
            AcpHandler handler,
            AcpLimits limits,
            JsonMapper mapper) {
        this.fromAgent = fromAgent;
        this.toAgent = toAgent;
        this.handler = handler;
        this.limits = limits;
        this.mapper = mapper;
        this.writer = new LineWriter(toAgent, limits.unwrittenBytes(), limits.unread(), this::end);
        this.garbage = new MessageLineFilter(limits.garbageLines());
        this.permissions =
                new PermissionThreads(handler, limits.permissions(), this::answerPermission);
    }

    /** A platform thread: it waits in a read for nearly all of its life. */
    void start() {
        Thread.ofPlatform().daemon().name("acp-reader").start(this::read);
    }

    JsonNode call(String method, JsonNode params, @Nullable Duration limit)
            throws AcpException, InterruptedException {
        PendingCalls.Call call = calls.open(method);
        ObjectNode message = message().put("id", call.id()).put("method", method);
        message.set("params", params);
        writer.send(AcpJson.line(message, mapper));
        return calls.await(call, limit);
    }

    void tell(String method, JsonNode params) {
        ObjectNode message = message().put("method", method);
        message.set("params", params);
        writer.send(AcpJson.line(message, mapper));
    }

    void withdrawPermissions(String sessionId) {
        permissions.withdrawSession(sessionId);
    }

    long ignored() {
        return ignored.get();
    }

    long garbage() {
        return garbage.count();
    }

    List<String> garbageSample() {
        return garbage.sample();
    }

    /** Ends the connection; only the first reason counts. */
    void end(String why) {
        if (!ended.compareAndSet(null, why)) {
            return;
        }
        writer.close();
        calls.end(why);
        permissions.withdrawAll();
        Thread.ofVirtual()
                .name("acp-closed")
                .start(
                        () -> {
                            telling.lock();
                            try {
                                handler.closed(why);
                            } finally {
                                telling.unlock();
                            }
                        });
        // Apart, since closing may wait for a write that the agent does not read.
        Thread.ofVirtual().name("acp-close-input").start(() -> close(toAgent));
        Thread.ofVirtual().name("acp-close-output").start(() -> close(fromAgent));
    }

    private void read() {
        try {
            var lines = new LineReader(fromAgent, limits.lineBytes());
            Optional<byte[]> line = lines.next();
            while (line.isPresent() && ended.get() == null) {
                receive(line.get());
                line = lines.next();
            }
            end("the agent ended its output");
        } catch (LineReader.TooLong e) {
            end(String.valueOf(e.getMessage()));
        } catch (StreamConstraintsException e) {
            end("a message of the agent has too many parts or is nested too deeply");
        } catch (IOException e) {
            end("the agent's output cannot be read: " + e.getMessage());
        } catch (RuntimeException e) {
            log.warn("a connection to an agent ends: what it said could not be taken", e);
            end("what the agent said could not be taken: " + e.getMessage());
        }
    }

    private void receive(byte[] line) {
        JsonNode message = garbage.message(line, mapper);
        if (message == null) {
            if (garbage.isTooMuch()) {
                end(
                        "the agent wrote more than %d lines that are no messages; the first: %s"
                                .formatted(limits.garbageLines(), garbage.first()));
            }
            return;
        }
        String method = AcpJson.textOrNull(message, "method");
        JsonNode id = message.get("id");
        if (method == null) {
            answered(id, message);
        } else if (id == null) {
            notified(method, AcpJson.object(message, "params", mapper));
        } else {
            asked(id, method, AcpJson.object(message, "params", mapper));
        }
    }

    private void answered(@Nullable JsonNode id, JsonNode message) {
        boolean awaited =
                id != null
                        && id.isIntegralNumber()
                        && id.canConvertToLong()
                        && calls.answer(id.longValue(), message);
        if (!awaited) {
            ignored.incrementAndGet();
        }
    }

    private void notified(String method, JsonNode params) {
        switch (method) {
            case "session/update" -> {
                SessionUpdate update =
                        UpdateReader.update(AcpJson.object(params, "update", mapper));
                if (update instanceof SessionUpdate.Other) {
                    ignored.incrementAndGet();
                }
                updated(AcpJson.text(params, "sessionId", ""), update);
            }
            case "$/cancel_request" -> {
                JsonNode request = params.get("requestId");
                if (request == null || !permissions.withdrawRequest(request)) {
                    ignored.incrementAndGet();
                }
            }
            default -> ignored.incrementAndGet();
        }
    }

    private void updated(String sessionId, SessionUpdate update) {
        telling.lock();
        try {
            if (ended.get() == null) {
                handler.updated(sessionId, update);
            }
        } finally {
            telling.unlock();
        }
    }

    private void asked(JsonNode id, String method, JsonNode params) {
        if (method.equals("session/request_permission")) {
            permissions.ask(id, UpdateReader.permission(params));
            return;
        }
        ignored.incrementAndGet();
        ObjectNode answer = message();
        answer.set("id", id);
        answer.putObject("error")
                .put("code", NO_METHOD)
                .put("message", "Method not found")
                .putObject("data")
                .put("method", method);
        writer.send(AcpJson.line(answer, mapper));
    }

    private void answerPermission(JsonNode id, PermissionOutcome outcome) {
        ObjectNode answer = message();
        answer.set("id", id);
        answer.set("result", new RequestWriter(mapper).outcome(outcome));
        writer.send(AcpJson.line(answer, mapper));
    }

    private ObjectNode message() {
        return mapper.createObjectNode().put("jsonrpc", "2.0");
    }

    private static void close(AutoCloseable stream) {
        try {
            stream.close();
        } catch (Exception e) {
            log.debug("a stream of an agent did not close: {}", e.getMessage());
        }
    }
}
