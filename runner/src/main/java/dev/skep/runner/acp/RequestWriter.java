package dev.skep.runner.acp;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes what is asked of agents. */
final class RequestWriter {
    private final JsonMapper mapper;

    RequestWriter(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** Offers neither files nor terminals: no agent used terminals, and files failed with one. */
    ObjectNode initialize(int version, String name, String clientVersion) {
        ObjectNode params = mapper.createObjectNode().put("protocolVersion", version);
        params.putObject("clientCapabilities");
        params.putObject("clientInfo")
                .put("name", name)
                .put("title", name)
                .put("version", clientVersion);
        return params;
    }

    ObjectNode place(String folder, List<McpServerAddress> servers) {
        ObjectNode params = mapper.createObjectNode().put("cwd", folder);
        ArrayNode list = params.putArray("mcpServers");
        servers.forEach(server -> add(list.addObject(), server));
        return params;
    }

    ObjectNode session(String sessionId) {
        return mapper.createObjectNode().put("sessionId", sessionId);
    }

    ObjectNode prompt(String sessionId, List<PromptBlock> blocks) {
        ObjectNode params = session(sessionId);
        ArrayNode prompt = params.putArray("prompt");
        for (PromptBlock block : blocks) {
            switch (block) {
                case PromptBlock.Text(String text) ->
                        prompt.addObject().put("type", "text").put("text", text);
                case PromptBlock.Image(String mimeType, String data) ->
                        prompt.addObject()
                                .put("type", "image")
                                .put("mimeType", mimeType)
                                .put("data", data);
            }
        }
        return params;
    }

    ObjectNode outcome(PermissionOutcome outcome) {
        ObjectNode result = mapper.createObjectNode();
        switch (outcome) {
            case PermissionOutcome.Selected(String optionId) ->
                    result.putObject("outcome")
                            .put("outcome", "selected")
                            .put("optionId", optionId);
            case PermissionOutcome.Cancelled() ->
                    result.putObject("outcome").put("outcome", "cancelled");
        }
        return result;
    }

    private static void add(ObjectNode json, McpServerAddress server) {
        json.put("name", server.name());
        switch (server) {
            case McpServerAddress.Http http -> {
                json.put("type", "http").put("url", http.url());
                pairs(json.putArray("headers"), http.headers());
            }
            case McpServerAddress.Stdio stdio -> {
                json.put("command", stdio.command());
                ArrayNode arguments = json.putArray("args");
                stdio.arguments().forEach(arguments::add);
                pairs(json.putArray("env"), stdio.env());
            }
        }
    }

    private static void pairs(ArrayNode list, Map<String, String> values) {
        values.forEach((name, value) -> list.addObject().put("name", name).put("value", value));
    }
}
