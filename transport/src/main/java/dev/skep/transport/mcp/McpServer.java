package dev.skep.transport.mcp;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.Request;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Answers the requests of MCP clients about tools. Thread-safe; keeps nothing of a client. */
public final class McpServer {
    /** Those with a handshake. The first is offered to clients that ask for one we do not know. */
    private static final List<String> REVISIONS = List.of("2025-06-18", "2025-11-25", "2025-03-26");

    private final Map<String, Object> self;
    private final String instructions;
    private final StatelessRevision stateless;

    /** What one caller may use. */
    public interface Tools {
        List<ToolDescription> offered();

        /** The result of one of those, in MCP's form; arguments are as they came. */
        ToolOutcome call(ToolDescription tool, JsonFields arguments, CallInput input);
    }

    /**
     * Asks nothing yet.
     *
     * @param instructions what a model reads of the server as a whole
     */
    public McpServer(String version, String instructions) {
        this.self = Map.of("name", "skep", "title", "Skep", "version", version);
        this.instructions = instructions;
        this.stateless = new StatelessRevision(self, instructions, REVISIONS);
    }

    /** Whether clients may speak this revision after a handshake. */
    public static boolean speaks(String revision) {
        return REVISIONS.contains(revision);
    }

    /**
     * The whole answer to a request of any revision, a refusal included. What it speaks is said by
     * the request itself, or by its headers.
     */
    public McpAnswer answer(McpMessage.Request request, Request.Headers headers, Tools tools) {
        return stateless.isMeant(request, headers)
                ? stateless.answer(request, headers, tools)
                : McpAnswer.ok(answer(request, tools));
    }

    /** The whole answer to a request of the revisions with a handshake, a refusal included. */
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
            case "tools/call" ->
                    called(request, tools, CallInput.NONE, McpServer::withoutQuestions);
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
                self,
                "instructions",
                instructions);
    }

    /** These revisions could ask a person only over a stream, which there is none of. */
    private static Map<String, Object> withoutQuestions(ToolOutcome outcome) {
        return switch (outcome) {
            case ToolOutcome.Complete(var result) -> result;
            case ToolOutcome.Question(String question, _) ->
                    ToolResult.refused(
                            new SkepException(
                                    ErrorCode.FORBIDDEN,
                                    "this needs a person's yes, which clients of MCP before %s cannot ask for here; do it on the pages or with the skep command. The question: %s"
                                            .formatted(StatelessRevision.REVISION, question)));
        };
    }

    /**
     * Calls a tool.
     *
     * @param form what becomes of the outcome
     */
    static Map<String, Object> called(
            McpMessage.Request request,
            Tools tools,
            CallInput input,
            Function<ToolOutcome, Map<String, Object>> form) {
        String name = request.parameters().shown("name");
        Optional<ToolDescription> tool =
                tools.offered().stream().filter(each -> each.name().equals(name)).findFirst();
        if (tool.isEmpty()) {
            return McpMessage.error(
                    request.id(),
                    McpMessage.BAD_PARAMETERS,
                    "there is no tool %s; tools/list lists them".formatted(name));
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
        return McpMessage.result(
                request.id(), form.apply(tools.call(tool.get(), arguments, input)));
    }
}
