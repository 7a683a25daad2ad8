package dev.skep.runner.acp;

import dev.skep.runner.acp.SessionUpdate.ToolContent;
import dev.skep.runner.acp.SessionUpdate.ToolLocation;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what agents tell while they work, and forgives what they leave out. */
final class UpdateReader {
    private UpdateReader() {}

    static SessionUpdate update(JsonNode update) {
        String kind = AcpJson.text(update, "sessionUpdate", "");
        @Nullable String message = AcpJson.textOrNull(update, "messageId");
        return switch (kind) {
            case "agent_message_chunk" -> new SessionUpdate.MessageChunk(words(update), message);
            case "agent_thought_chunk" -> new SessionUpdate.ThoughtChunk(words(update), message);
            case "user_message_chunk" -> new SessionUpdate.UserMessageChunk(words(update), message);
            case "tool_call" -> toolCall(update);
            case "tool_call_update" -> toolCallUpdate(update);
            case "plan" ->
                    new SessionUpdate.Plan(AcpJson.list(update, "entries", UpdateReader::step));
            case "usage_update" -> usage(update);
            case "current_mode_update" ->
                    new SessionUpdate.ModeChanged(AcpJson.text(update, "currentModeId", ""));
            default -> new SessionUpdate.Other(kind);
        };
    }

    static PermissionRequest permission(JsonNode params) {
        JsonNode call = params.get("toolCall");
        return new PermissionRequest(
                AcpJson.text(params, "sessionId", ""),
                toolCallUpdate(call == null ? params : call),
                AcpJson.list(params, "options", UpdateReader::option),
                AcpJson.json(params, "_meta"),
                call == null ? null : AcpJson.json(call, "_meta"));
    }

    private static PermissionRequest.Option option(JsonNode option) {
        String id = AcpJson.text(option, "optionId", "");
        String word = AcpJson.text(option, "kind", "").toUpperCase(Locale.ROOT);
        PermissionRequest.Kind kind = PermissionRequest.Kind.OTHER;
        for (PermissionRequest.Kind known : PermissionRequest.Kind.values()) {
            kind = known.name().equals(word) ? known : kind;
        }
        return new PermissionRequest.Option(id, AcpJson.text(option, "name", id), kind);
    }

    private static SessionUpdate.ToolCall toolCall(JsonNode update) {
        String id = AcpJson.text(update, "toolCallId", "");
        return new SessionUpdate.ToolCall(
                id,
                AcpJson.text(update, "title", id),
                AcpJson.text(update, "kind", "other"),
                AcpJson.text(update, "status", "pending"),
                AcpJson.list(update, "content", UpdateReader::content),
                AcpJson.list(update, "locations", UpdateReader::location),
                AcpJson.json(update, "rawInput"),
                AcpJson.json(update, "rawOutput"));
    }

    private static SessionUpdate.ToolCallUpdate toolCallUpdate(JsonNode update) {
        @Nullable List<ToolContent> content =
                AcpJson.has(update, "content")
                        ? AcpJson.list(update, "content", UpdateReader::content)
                        : null;
        @Nullable List<ToolLocation> locations =
                AcpJson.has(update, "locations")
                        ? AcpJson.list(update, "locations", UpdateReader::location)
                        : null;
        return new SessionUpdate.ToolCallUpdate(
                AcpJson.text(update, "toolCallId", ""),
                AcpJson.textOrNull(update, "title"),
                AcpJson.textOrNull(update, "kind"),
                AcpJson.textOrNull(update, "status"),
                content,
                locations,
                AcpJson.json(update, "rawInput"),
                AcpJson.json(update, "rawOutput"),
                outputDelta(update));
    }

    /** Codex streams the output of a command outside of the protocol's own fields. */
    private static @Nullable String outputDelta(JsonNode update) {
        JsonNode meta = update.get("_meta");
        JsonNode delta = meta == null ? null : meta.get("terminal_output_delta");
        if (delta == null) {
            return null;
        }
        return delta.isString() ? delta.stringValue() : AcpJson.textOrNull(delta, "data");
    }

    private static ToolContent content(JsonNode content) {
        return switch (AcpJson.text(content, "type", "")) {
            case "diff" ->
                    new ToolContent.Diff(
                            AcpJson.text(content, "path", ""),
                            AcpJson.textOrNull(content, "oldText"),
                            AcpJson.text(content, "newText", ""));
            case "terminal" -> new ToolContent.Terminal(AcpJson.text(content, "terminalId", ""));
            default -> new ToolContent.Text(words(content));
        };
    }

    private static ToolLocation location(JsonNode location) {
        return new ToolLocation(
                AcpJson.text(location, "path", ""),
                AcpJson.has(location, "line") ? AcpJson.number(location, "line") : null);
    }

    private static SessionUpdate.PlanStep step(JsonNode step) {
        return new SessionUpdate.PlanStep(
                AcpJson.text(step, "content", ""),
                AcpJson.text(step, "status", "pending"),
                AcpJson.text(step, "priority", "medium"));
    }

    private static SessionUpdate.UsageUpdate usage(JsonNode update) {
        JsonNode cost = update.get("cost");
        JsonNode amount = cost == null ? null : cost.get("amount");
        return new SessionUpdate.UsageUpdate(
                AcpJson.number(update, "used"),
                AcpJson.number(update, "size"),
                amount != null && amount.isNumber() ? amount.doubleValue() : null,
                cost == null ? null : AcpJson.textOrNull(cost, "currency"));
    }

    /** What a block of content says, in words. */
    private static String words(JsonNode holder) {
        JsonNode content = holder.get("content");
        if (content == null || !content.isObject()) {
            return "";
        }
        String type = AcpJson.text(content, "type", "text");
        return switch (type) {
            case "text" -> AcpJson.text(content, "text", "");
            case "resource_link" -> AcpJson.text(content, "uri", "");
            case "resource" -> resource(content.get("resource"));
            default -> "[%s]".formatted(type);
        };
    }

    private static String resource(@Nullable JsonNode resource) {
        return resource == null
                ? ""
                : AcpJson.text(resource, "text", AcpJson.text(resource, "uri", ""));
    }
}
