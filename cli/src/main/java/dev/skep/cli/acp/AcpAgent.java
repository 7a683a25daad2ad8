package dev.skep.cli.acp;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.Ids;
import dev.skep.runner.acp.LineReader;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Answers an editor until it closes its end: initialize, sessions, prompts, cancels. */
public final class AcpAgent {
    private static final int VERSION = 1;
    private static final int LONGEST_LINE = 16 << 20;
    private static final int NOT_JSON = -32_700;
    private static final int NO_METHOD = -32_601;
    private static final int BAD_PARAMETERS = -32_602;
    private static final int FAILED = -32_603;
    private static final int NOT_FOUND = -32_002;

    /** Where a session of an agent without a log begins. */
    private static final String BEGINNING = "00000000000000000000000000";

    private final AgentClient agent;
    private final String version;
    private final EditorConnection editor;
    private final Consumer<String> report;
    private final Map<String, AgentSession> sessions = new ConcurrentHashMap<>();

    /**
     * Answers nothing yet.
     *
     * @param report takes lines for people, of which the protocol has no place
     */
    public AcpAgent(AgentClient agent, String version, OutputStream out, Consumer<String> report) {
        this.agent = agent;
        this.version = version;
        this.editor = new EditorConnection(out);
        this.report = report;
    }

    /** Returns when the editor has closed its end. */
    public void serve(InputStream in) {
        try {
            var lines = new LineReader(in, LONGEST_LINE);
            for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
                if (line.get().length > 0) {
                    received(line.get());
                }
            }
        } catch (IOException | UncheckedIOException e) {
            report.accept("the editor is gone: " + e.getMessage());
        } finally {
            sessions.values().forEach(AgentSession::close);
        }
    }

    private void received(byte[] line) {
        JsonFields message;
        try {
            message = JsonFields.of(line);
        } catch (SkepException notAnObject) {
            editor.error("null", NOT_JSON, "send one JSON-RPC message a line");
            return;
        }
        String method = message.shown("method");
        JsonFields params = message.object("params").orElseGet(() -> JsonFields.of(new byte[0]));
        Optional<String> id = message.json("id");
        if (method.isEmpty()) {
            editor.answered(message);
        } else if (id.isEmpty()) {
            if (method.equals("session/cancel")) {
                Optional.ofNullable(sessions.get(params.shown("sessionId")))
                        .ifPresent(AgentSession::cancel);
            }
        } else {
            // Each on a thread of its own: a prompt lasts, and a cancel must reach it.
            Thread.ofVirtual().name(method).start(() -> answer(id.get(), method, params));
        }
    }

    private void answer(String id, String method, JsonFields params) {
        try {
            switch (method) {
                case "initialize" -> editor.result(id, description());
                case "authenticate" -> editor.result(id, Map.of());
                case "session/new" -> opened(id);
                case "session/load" -> again(id, params, true);
                case "session/resume" -> again(id, params, false);
                case "session/prompt" -> {
                    String reason = session(params).prompt(text(params));
                    editor.result(id, Map.of("stopReason", reason));
                }
                case "session/close" -> {
                    AgentSession closed = sessions.remove(params.shown("sessionId"));
                    if (closed != null) {
                        closed.close();
                    }
                    editor.result(id, Map.of());
                }
                default -> editor.error(id, NO_METHOD, "Method not found");
            }
        } catch (SkepException e) {
            editor.error(id, code(e), String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (UncheckedIOException e) {
            report.accept("the editor is gone: " + e.getMessage());
        }
    }

    private static int code(SkepException failure) {
        return switch (failure.code()) {
            case NOT_FOUND -> NOT_FOUND;
            case BAD_REQUEST -> BAD_PARAMETERS;
            default -> FAILED;
        };
    }

    private Map<String, Object> description() {
        return Map.of(
                "protocolVersion",
                VERSION,
                "agentInfo",
                Map.of("name", "skep", "title", "Skep", "version", version),
                "agentCapabilities",
                Map.of(
                        "loadSession",
                        true,
                        "promptCapabilities",
                        Map.of("image", false, "audio", false, "embeddedContext", true),
                        "mcpCapabilities",
                        Map.of("http", false, "sse", false),
                        "sessionCapabilities",
                        Map.of("resume", Map.of(), "close", Map.of())),
                "authMethods",
                List.of());
    }

    private void opened(String id) {
        AgentClient.State state = agent.state();
        String last = agent.lastLine();
        String place = last.isEmpty() ? BEGINNING : last;
        AgentSession session = session(state.name() + "." + place, place);
        editor.result(id, Map.of("sessionId", state.name() + "." + place));
        session.start();
    }

    private AgentSession session(String id, String place) {
        AgentSession session = new AgentSession(id, place, agent, editor, report);
        AgentSession earlier = sessions.put(id, session);
        if (earlier != null) {
            earlier.close();
        }
        return session;
    }

    private void again(String id, JsonFields params, boolean replay) {
        String sessionId = params.shown("sessionId");
        String place = sessionId.substring(sessionId.lastIndexOf('.') + 1);
        if (!Ids.isUlid(place) && !place.equals(BEGINNING)) {
            throw new SkepException(ErrorCode.NOT_FOUND, "there is no session " + sessionId);
        }
        String name = agent.state().name();
        if (!sessionId.equals(name + "." + place)) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND, "session %s is not one of %s".formatted(sessionId, name));
        }
        AgentSession session = session(sessionId, place);
        if (replay) {
            session.replay();
        } else {
            session.skip();
        }
        editor.result(id, Map.of());
        session.start();
    }

    private AgentSession session(JsonFields params) {
        AgentSession session = sessions.get(params.shown("sessionId"));
        if (session == null) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND, "there is no session " + params.shown("sessionId"));
        }
        return session;
    }

    /** All that is words in a prompt; files that it names are named. */
    private static String text(JsonFields params) {
        String text =
                params.list("prompt").stream()
                        .map(AcpAgent::words)
                        .filter(each -> !each.isBlank())
                        .collect(Collectors.joining("\n"));
        if (text.isBlank()) {
            throw new SkepException(ErrorCode.BAD_REQUEST, "a prompt needs words");
        }
        return text;
    }

    private static String words(JsonFields block) {
        return switch (block.shown("type")) {
            case "text" -> block.shown("text");
            case "resource_link" -> block.shown("uri");
            case "resource" ->
                    block.object("resource")
                            .map(each -> each.shown("uri") + ":\n" + each.shown("text"))
                            .orElse("");
            default -> "";
        };
    }
}
