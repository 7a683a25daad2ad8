package dev.skep.runner.acp;

import dev.skep.runner.acp.OpenedSession.Choice;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads what agents answer. */
final class AnswerReader {
    private final JsonMapper mapper;

    AnswerReader(JsonMapper mapper) {
        this.mapper = mapper;
    }

    AgentDescription description(JsonNode answer) {
        JsonNode info = AcpJson.object(answer, "agentInfo", mapper);
        JsonNode can = AcpJson.object(answer, "agentCapabilities", mapper);
        JsonNode sessions = AcpJson.object(can, "sessionCapabilities", mapper);
        return new AgentDescription(
                (int) AcpJson.number(answer, "protocolVersion"),
                AcpJson.text(info, "name", ""),
                AcpJson.text(info, "version", ""),
                AcpJson.flag(can, "loadSession"),
                AcpJson.has(sessions, "resume"),
                AcpJson.has(sessions, "close"),
                AcpJson.flag(AcpJson.object(can, "mcpCapabilities", mapper), "http"),
                AcpJson.flag(AcpJson.object(can, "promptCapabilities", mapper), "image"),
                AcpJson.list(
                        answer,
                        "authMethods",
                        method ->
                                new AgentDescription.AuthMethod(
                                        AcpJson.text(method, "id", ""),
                                        AcpJson.text(method, "name", ""))));
    }

    OpenedSession session(JsonNode answer, String id) {
        JsonNode modes = AcpJson.object(answer, "modes", mapper);
        JsonNode models = AcpJson.object(answer, "models", mapper);
        return new OpenedSession(
                id,
                AcpJson.textOrNull(modes, "currentModeId"),
                AcpJson.list(modes, "availableModes", mode -> choice(mode, "id")),
                AcpJson.textOrNull(models, "currentModelId"),
                AcpJson.list(models, "availableModels", model -> choice(model, "modelId")),
                AcpJson.list(answer, "configOptions", AnswerReader::option));
    }

    PromptResult result(JsonNode answer, String stopReason) {
        JsonNode usage = answer.get("usage");
        if (usage != null && usage.isObject()) {
            return new PromptResult(
                    stopReason,
                    new PromptResult.TurnTokens(
                            AcpJson.number(usage, "inputTokens"),
                            AcpJson.number(usage, "outputTokens"),
                            AcpJson.number(usage, "cachedReadTokens"),
                            AcpJson.number(usage, "cachedWriteTokens"),
                            AcpJson.number(usage, "totalTokens")));
        }
        // Gemini tells it in its own words.
        JsonNode quota = AcpJson.object(AcpJson.object(answer, "_meta", mapper), "quota", mapper);
        JsonNode count = quota.get("token_count");
        if (count == null || !count.isObject()) {
            return new PromptResult(stopReason, null);
        }
        long input = AcpJson.number(count, "input_tokens");
        long output = AcpJson.number(count, "output_tokens");
        return new PromptResult(
                stopReason, new PromptResult.TurnTokens(input, output, 0, 0, input + output));
    }

    private static Choice choice(JsonNode choice, String idField) {
        String id = AcpJson.text(choice, idField, "");
        return new Choice(id, AcpJson.text(choice, "name", id));
    }

    private static OpenedSession.ConfigOption option(JsonNode option) {
        JsonNode value = option.get("currentValue");
        List<Choice> choices = new ArrayList<>();
        addChoices(option, choices);
        String id = AcpJson.text(option, "id", "");
        return new OpenedSession.ConfigOption(
                id,
                AcpJson.text(option, "name", id),
                AcpJson.text(option, "category", ""),
                value == null ? "" : value.asString(),
                choices);
    }

    /** Choices may be in groups. */
    private static void addChoices(JsonNode holder, List<Choice> choices) {
        AcpJson.list(holder, "options", each -> each)
                .forEach(
                        each -> {
                            if (each.has("options")) {
                                addChoices(each, choices);
                            } else {
                                choices.add(choice(each, "value"));
                            }
                        });
    }
}
