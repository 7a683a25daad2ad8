package dev.skep.runner.tools;

import dev.skep.kernel.error.SkepException;
import dev.skep.transport.loopback.LoopbackExchange;
import dev.skep.transport.loopback.LoopbackHandler;
import dev.skep.transport.mcp.McpMessage;
import dev.skep.transport.mcp.McpServer;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * MCP's streamable HTTP transport on loopback, without sessions: each message is a POST with the
 * agent's token. Thread-safe.
 */
public final class ToolsEndpoint implements LoopbackHandler {
    /** Where it is mounted. */
    public static final String PATH = "/tools";

    private static final int LONGEST_BODY = 1 << 20;

    private final AgentTools tools;
    private final McpServer server;
    private final Map<String, AdmittedCaller> callers = new ConcurrentHashMap<>();

    public ToolsEndpoint(AgentTools tools, String version) {
        this.tools = tools;
        this.server =
                new McpServer(
                        version,
                        "Your mail, the other agents and people, and your own session. Others see nothing of your work but what you mail or note.");
    }

    /** From now on a bearer of the token is this agent. */
    public void admit(String token, ToolCaller caller) {
        callers.put(token, new AdmittedCaller(caller, tools));
    }

    /** The token is worth nothing from now on; its open calls are given up. */
    public void dismiss(String token) {
        Optional.ofNullable(callers.remove(token)).ifPresent(AdmittedCaller::dismiss);
    }

    int callsOpen(String token) {
        return Optional.ofNullable(callers.get(token)).map(AdmittedCaller::open).orElse(0);
    }

    @Override
    public void handle(LoopbackExchange exchange) throws IOException {
        // Read first: who is refused may still be sending.
        byte[] body = exchange.body().readNBytes(LONGEST_BODY + 1);
        if (!exchange.path().equals(PATH) && !exchange.path().equals(PATH + "/")) {
            refuse(exchange, 404, "there is nothing here; the tools are at " + PATH, Map.of());
            return;
        }
        if (exchange.header("origin").filter(origin -> !isLoopback(origin)).isPresent()) {
            refuse(exchange, 403, "pages of other sites may not call tools", Map.of());
            return;
        }
        Optional<AdmittedCaller> caller = token(exchange).map(callers::get);
        if (caller.isEmpty()) {
            refuse(
                    exchange,
                    401,
                    "the token is unknown; only a running agent has one",
                    Map.of("www-authenticate", "Bearer"));
        } else if (!exchange.method().equals("POST")) {
            refuse(
                    exchange,
                    405,
                    "send a POST; there is no stream and no session here",
                    Map.of("allow", "POST"));
        } else if (body.length > LONGEST_BODY) {
            refuse(exchange, 413, "a message has at most 1 MB", Map.of());
        } else if (exchange.header("mcp-protocol-version")
                .filter(revision -> !McpServer.speaks(revision))
                .isPresent()) {
            refuse(exchange, 400, "this revision of the protocol is not spoken here", Map.of());
        } else {
            take(exchange, caller.get(), body);
        }
    }

    private void take(LoopbackExchange exchange, AdmittedCaller caller, byte[] body)
            throws IOException {
        switch (McpMessage.read(body)) {
            case McpMessage.Unusable(var why) -> send(exchange, 400, Json.bytes(why), Map.of());
            case McpMessage.Notice notice -> {
                if (notice.method().equals("notifications/cancelled")) {
                    notice.parameters().json("requestId").ifPresent(caller::cancelled);
                }
                send(exchange, 202, new byte[0], Map.of());
            }
            case McpMessage.Request request -> {
                if (!caller.entered()) {
                    refuse(
                            exchange,
                            429,
                            "more than %d calls at once".formatted(AdmittedCaller.MOST_CALLS),
                            Map.of());
                    return;
                }
                try {
                    answer(exchange, answerTo(exchange, caller, request));
                } finally {
                    caller.left();
                }
            }
        }
    }

    private Map<String, Object> answerTo(
            LoopbackExchange exchange, AdmittedCaller caller, McpMessage.Request request) {
        try {
            return server.answer(request, caller.toolsFor(request.id(), exchange::onGone));
        } catch (SkepException malformed) {
            return McpMessage.error(
                    request.id(),
                    McpMessage.BAD_PARAMETERS,
                    String.valueOf(malformed.getMessage()));
        }
    }

    /** As a stream of one message only for clients that take nothing else. */
    private static void answer(LoopbackExchange exchange, Map<String, Object> answer)
            throws IOException {
        String accepted = exchange.header("accept").orElse("").toLowerCase(Locale.ROOT);
        boolean streamed =
                accepted.contains("text/event-stream")
                        && !accepted.contains("application/json")
                        && !accepted.contains("*/*");
        if (!streamed) {
            send(exchange, 200, Json.bytes(answer), Map.of());
            return;
        }
        OutputStream out =
                exchange.respond(
                        200,
                        Map.of("content-type", "text/event-stream", "cache-control", "no-store"));
        out.write(
                "event: message\ndata: %s\n\n"
                        .formatted(Json.text(answer))
                        .getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static void refuse(
            LoopbackExchange exchange, int status, String why, Map<String, String> headers)
            throws IOException {
        send(
                exchange,
                status,
                Json.bytes(McpMessage.error("null", McpMessage.NO_REQUEST, why)),
                headers);
    }

    private static void send(
            LoopbackExchange exchange, int status, byte[] body, Map<String, String> further)
            throws IOException {
        Map<String, String> headers = new LinkedHashMap<>(further);
        headers.put("content-length", "" + body.length);
        if (body.length > 0) {
            headers.put("content-type", "application/json");
        }
        OutputStream out = exchange.respond(status, headers);
        out.write(body);
        out.flush();
    }

    private static Optional<String> token(LoopbackExchange exchange) {
        return exchange.header("authorization")
                .filter(value -> value.regionMatches(true, 0, "Bearer ", 0, 7))
                .map(value -> value.substring(7).strip());
    }

    private static boolean isLoopback(String origin) {
        return origin.matches("https?://(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d+)?");
    }
}
