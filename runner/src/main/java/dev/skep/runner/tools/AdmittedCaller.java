package dev.skep.runner.tools;

import dev.skep.transport.mcp.CallInput;
import dev.skep.transport.mcp.McpServer;
import dev.skep.transport.mcp.ToolDescription;
import dev.skep.transport.mcp.ToolOutcome;
import dev.skep.transport.route.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An agent whose token is good, and the calls it has open. Thread-safe. */
final class AdmittedCaller {
    static final int MOST_CALLS = 64;

    private final ToolCaller caller;
    private final AgentTools tools;

    /** With the ids of their requests, which several clients of one agent may give twice. */
    private final Map<ToolCall, String> open = new ConcurrentHashMap<>();

    private boolean dismissed;
    private int running;

    AdmittedCaller(ToolCaller caller, AgentTools tools) {
        this.caller = caller;
        this.tools = tools;
    }

    int open() {
        return open.size();
    }

    /** A place for one more call; false if there are too many, or the token is worth nothing. */
    synchronized boolean entered() {
        if (dismissed || running >= MOST_CALLS) {
            return false;
        }
        running++;
        return true;
    }

    synchronized void left() {
        running--;
    }

    /** The tools as one request of this agent calls them. */
    McpServer.Tools toolsFor(String request, Gone gone) {
        return new McpServer.Tools() {
            @Override
            public List<ToolDescription> offered() {
                return tools.offered();
            }

            @Override
            public ToolOutcome call(ToolDescription tool, JsonFields arguments, CallInput input) {
                ToolCall call = new ToolCall(caller, arguments);
                opened(request, call);
                gone.then(call::giveUp);
                try {
                    return new ToolOutcome.Complete(tools.call(tool, call));
                } finally {
                    open.remove(call);
                }
            }
        };
    }

    /** Calls back when the client is gone. */
    @FunctionalInterface
    interface Gone {
        void then(Runnable runnable);
    }

    private synchronized void opened(String request, ToolCall call) {
        open.put(call, request);
        if (dismissed) {
            call.giveUp();
        }
    }

    /** The client does not want the answer to this request any more. */
    void cancelled(String request) {
        open.forEach(
                (call, id) -> {
                    if (id.equals(request)) {
                        call.giveUp();
                    }
                });
    }

    synchronized void dismiss() {
        dismissed = true;
        open.keySet().forEach(ToolCall::giveUp);
    }
}
