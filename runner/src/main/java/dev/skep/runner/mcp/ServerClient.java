package dev.skep.runner.mcp;

import dev.skep.runner.mcp.ServerFailure.Kind;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One server of one agent: connected when it is first needed, and again after it went. Used by one
 * thread at a time; {@link #close} may come from any.
 */
final class ServerClient implements AutoCloseable {
    /**
     * How to reach it, everything filled in.
     *
     * @param missing what could not be filled in, or null
     */
    record Way(
            String name,
            List<String> command,
            Map<String, String> variables,
            @Nullable String url,
            Map<String, String> headers,
            @Nullable String missing) {}

    private final Way way;
    private final ServerPrograms programs;
    private final Duration timeout;
    private volatile @Nullable McpTransport transport;
    private volatile boolean closed;
    private List<ServerTool> tools = List.of();
    private int leftOut;
    private long ids;

    ServerClient(Way way, ServerPrograms programs, Duration timeout) {
        this.way = way;
        this.programs = programs;
        this.timeout = timeout;
    }

    String name() {
        return way.name();
    }

    /** As it was listed last; what a server offered stays offered while it is away. */
    List<ServerTool> tools() {
        return tools;
    }

    int leftOut() {
        return leftOut;
    }

    boolean isConnected() {
        McpTransport known = transport;
        return known != null && known.isOpen();
    }

    /** Connects if that is needed, and reads the list of tools if that may have changed. */
    void refresh() throws ServerFailure, InterruptedException {
        McpTransport open = connected();
        if (open.toolsChanged()) {
            list(open, deadline());
        }
    }

    /** Calls a tool; the text for the model. */
    String call(String tool, JsonNode arguments) throws ServerFailure, InterruptedException {
        ObjectNode params = McpMessages.call(tool, arguments);
        try {
            return AnswerText.of(request(connected(), "tools/call", params, deadline()));
        } catch (ServerFailure failure) {
            if (failure.kind() != Kind.NOT_DONE) {
                throw failure;
            }
            // It was certainly not done, so it is done once more with a new connection.
            drop();
            return AnswerText.of(request(connected(), "tools/call", params, deadline()));
        }
    }

    private McpTransport connected() throws ServerFailure, InterruptedException {
        McpTransport known = transport;
        if (known != null && known.isOpen()) {
            return known;
        }
        drop();
        McpTransport fresh = opened();
        transport = fresh;
        if (closed) {
            fresh.close();
        }
        // All of it together within the time of one command: a server may list page after page.
        long deadline = deadline();
        try {
            JsonNode welcome = request(fresh, "initialize", McpMessages.initialize(), deadline);
            String revision = welcome.path("protocolVersion").asString("");
            if (!McpMessages.REVISIONS.contains(revision)) {
                throw new ServerFailure(
                        Kind.GONE, "speaks the revision '%s' only".formatted(revision));
            }
            fresh.agreed(revision);
            fresh.tell(McpMessages.notification("notifications/initialized", null));
            list(fresh, deadline);
            return fresh;
        } catch (ServerFailure | InterruptedException e) {
            drop();
            throw e;
        }
    }

    private McpTransport opened() throws ServerFailure {
        if (way.missing() != null) {
            throw new ServerFailure(Kind.GONE, "is not asked: " + way.missing());
        }
        if (way.url() != null) {
            return new HttpTransport(URI.create(way.url()), way.headers());
        }
        try {
            return new StdioTransport(way.name(), programs.start(way.command(), way.variables()));
        } catch (IOException e) {
            throw new ServerFailure(Kind.NOT_DONE, "cannot be started: " + e.getMessage());
        }
    }

    private void list(McpTransport open, long deadline) throws ServerFailure, InterruptedException {
        ToolList list = new ToolList(way.name());
        String cursor = null;
        int pages = 0;
        do {
            cursor = list.add(request(open, "tools/list", McpMessages.page(cursor), deadline));
        } while (cursor != null && ++pages < ToolList.MOST_PAGES);
        tools = list.tools();
        leftOut = list.left();
    }

    private long deadline() {
        return System.nanoTime() + timeout.toNanos();
    }

    private JsonNode request(McpTransport open, String method, JsonNode params, long deadline)
            throws ServerFailure, InterruptedException {
        ObjectNode message = McpMessages.request(++ids, method, params);
        JsonNode answer;
        try {
            answer =
                    open.request(
                            message, Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
        } catch (ServerFailure failure) {
            if (failure.kind() == Kind.REFUSED) {
                open.tell(McpMessages.cancelled(message.path("id"), "no answer in time"));
            } else {
                open.close();
            }
            throw failure;
        } catch (InterruptedException cancelled) {
            // What the server still answers has an id that nobody waits for.
            open.tell(McpMessages.cancelled(message.path("id"), "cancelled"));
            throw cancelled;
        }
        if (answer.has("error")) {
            throw new ServerFailure(
                    Kind.REFUSED,
                    "refused: " + answer.path("error").path("message").asString("no reason given"));
        }
        return answer.path("result");
    }

    private void drop() {
        McpTransport known = transport;
        transport = null;
        if (known != null) {
            known.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        McpTransport known = transport;
        if (known != null) {
            known.close();
        }
    }
}
