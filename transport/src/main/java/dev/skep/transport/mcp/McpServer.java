package dev.skep.transport.mcp;

import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers the requests of MCP clients about tools. Thread-safe; keeps nothing of a client. */
public final class McpServer {
    /** The first is offered to clients that ask for one we do not know. */
    private static final List<String> REVISIONS = List.of("2025-06-18", "2025-11-25", "2025-03-26");

    private final String version;
    private final String instructions;

    /** What one caller may use. */
    public interface Tools {
        List<ToolDescription> offered();

        /** The result of one of those, in MCP's form; arguments are as they came. */
        Map<String, Object> call(ToolDescription tool, JsonFields arguments);
    }

    /**
     * Asks nothing yet.
     *
     * @param instructions what a model reads of the server as a whole
     */
    public McpServer(String version, String instructions) {
        this.version = version;
        this.instructions = instructions;
    }

    /** Whether clients may speak this revision. */
    public static boolean speaks(String revision) {
        return REVISIONS.contains(revision);
    }

    /** The whole answer to a request, a refusal included. */
    public Map<String, Object> answer(McpMessage.Request request, Tools tools) {
        return switch (request.method()) {
            case "initialize" ->
                    McpMessage.result(
                            request.id(), welcome(request.parameters().shown("protocolVersion")));
            case "ping" -> McpMessage.result(request.id(), Map.of());
            case "tools/list" ->
                    McpMessage.result(
                            request.id(),
                            Map.of(
                                    "tools",
                                    tools.offered().stream()
                                            .map(ToolDescription::described)
                                            .toList()));
            case "tools/call" -> called(request, tools);
            default ->
                    McpMessage.error(
                            request.id(),
                            McpMessage.NO_METHOD,
                            "there is no method " + request.method());
        };
    }

    private Map<String, Object> welcome(String wanted) {
        return Map.of(
                "protocolVersion",
                speaks(wanted) ? wanted : REVISIONS.getFirst(),
                "capabilities",
                Map.of("tools", Map.of("listChanged", false)),
                "serverInfo",
                Map.of("name", "skep", "title", "Skep", "version", version),
                "instructions",
                instructions);
    }

    private static Map<String, Object> called(McpMessage.Request request, Tools tools) {
        String name = request.parameters().shown("name");
        Optional<ToolDescription> tool =
                tools.offered().stream().filter(each -> each.name().equals(name)).findFirst();
        if (tool.isEmpty()) {
            return McpMessage.error(
                    request.id(), McpMessage.BAD_PARAMETERS, "there is no tool " + name);
        }
        JsonFields arguments;
        try {
            arguments =
                    request.parameters()
                            .object("arguments")
                            .orElseGet(() -> JsonFields.of(new byte[0]));
        } catch (SkepException notAnObject) {
            return McpMessage.error(
                    request.id(), McpMessage.BAD_PARAMETERS, "arguments must be an object");
        }
        return McpMessage.result(request.id(), tools.call(tool.get(), arguments));
    }
}
