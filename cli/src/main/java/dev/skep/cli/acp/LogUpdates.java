package dev.skep.cli.acp;

import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lines of an agent's log as updates of a session; for one session, in the order of the log. */
final class LogUpdates {
    private static final int REMEMBERED = 100;

    /** Commands of our own loop whose output has not come yet; it comes in their order. */
    private final Deque<Command> open = new ArrayDeque<>();

    /** The ids of tool calls by the line that told of them. */
    private final Map<String, String> toolCalls = new LinkedHashMap<>();

    private record Command(String id, String command) {}

    /** What a line means to an editor; often one update, or none. */
    List<Map<String, Object>> of(JsonFields line, boolean replay) {
        String message = line.shown("message");
        Optional<JsonFields> detail = line.object("detail");
        return switch (line.shown("type")) {
            case "reply" -> text("agent_message_chunk", message, line);
            case "thought" -> text("agent_thought_chunk", message, line);
            case "talk" -> replay ? text("user_message_chunk", unquoted(message), line) : List.of();
            case "notice", "decision" -> text("agent_thought_chunk", message + "\n", line);
            case "error" -> text("agent_message_chunk", "Error: " + message + "\n", line);
            case "command" -> List.of(command(line, message));
            case "output" -> output(message);
            case "tool_call" -> List.of(toolCall(line, message, detail));
            case "tool_result" ->
                    detail.map(d -> List.of(toolResult(d, message))).orElse(List.of());
            case "plan" -> detail.map(d -> List.of(plan(d))).orElse(List.of());
            case "turn_end" ->
                    detail.map(d -> d.shown("why"))
                            .filter(why -> !why.isBlank())
                            .map(why -> text("agent_thought_chunk", why + "\n", line))
                            .orElse(List.of());
            default -> List.of();
        };
    }

    /** The tool call that a waiting approval is about; its own id if no line told of one. */
    String toolCallOf(String approval, String command) {
        String told = toolCalls.get(approval);
        if (told != null) {
            return told;
        }
        return open.stream()
                .filter(each -> each.command().equals(command))
                .map(Command::id)
                .findFirst()
                .orElse(approval);
    }

    private static List<Map<String, Object>> text(String kind, String text, JsonFields line) {
        if (text.isEmpty()) {
            return List.of();
        }
        Map<String, Object> update = update(kind);
        update.put("content", Map.of("type", "text", "text", ended(text, line)));
        // A runtime's words come in pieces; those of our own loop are whole messages.
        if (!line.shown("source").equals("runtime")) {
            update.put("messageId", line.shown("id"));
        }
        return List.of(update);
    }

    private static String ended(String text, JsonFields line) {
        boolean whole = line.shown("source").equals("model") && !text.endsWith("\n");
        return whole ? text + "\n" : text;
    }

    private static String unquoted(String said) {
        String prefix = "A person says: ";
        return said.startsWith(prefix) ? said.substring(prefix.length()) : said;
    }

    private Map<String, Object> command(JsonFields line, String command) {
        String id = line.shown("id");
        open.add(new Command(id, command));
        if (open.size() > REMEMBERED) {
            open.removeFirst();
        }
        Map<String, Object> update = update("tool_call");
        update.put("toolCallId", id);
        update.put("title", command);
        update.put("kind", "execute");
        update.put("status", "in_progress");
        update.put("rawInput", Map.of("command", command));
        return update;
    }

    private List<Map<String, Object>> output(String output) {
        Command command = open.poll();
        if (command == null) {
            return List.of();
        }
        Map<String, Object> update = update("tool_call_update");
        update.put("toolCallId", command.id());
        update.put("status", "completed");
        update.put("content", List.of(words(output)));
        return List.of(update);
    }

    private Map<String, Object> toolCall(
            JsonFields line, String message, Optional<JsonFields> detail) {
        String id = detail.map(d -> d.shown("toolCallId")).orElse(line.shown("id"));
        toolCalls.put(line.shown("id"), id);
        if (toolCalls.size() > REMEMBERED) {
            toolCalls.remove(toolCalls.keySet().iterator().next());
        }
        Map<String, Object> update = update("tool_call");
        update.put("toolCallId", id);
        update.put(
                "title",
                detail.map(d -> d.shown("title")).filter(t -> !t.isEmpty()).orElse(message));
        update.put(
                "kind", detail.map(d -> d.shown("kind")).filter(k -> !k.isEmpty()).orElse("other"));
        update.put("status", "in_progress");
        detail.ifPresent(
                d -> {
                    copy(d, "input", update, "rawInput");
                    copy(d, "locations", update, "locations");
                });
        return update;
    }

    private static Map<String, Object> toolResult(JsonFields detail, String message) {
        Map<String, Object> update = update("tool_call_update");
        update.put("toolCallId", detail.shown("toolCallId"));
        update.put("status", detail.shown("status").equals("completed") ? "completed" : "failed");
        List<Object> content = new ArrayList<>();
        for (JsonFields diff : detail.list("diffs")) {
            Map<String, @Nullable Object> shown = new LinkedHashMap<>();
            shown.put("type", "diff");
            shown.put("path", diff.shown("path"));
            shown.put("oldText", diff.optionalText("oldText").orElse(null));
            shown.put("newText", diff.shown("newText"));
            content.add(shown);
        }
        if (!message.isBlank() && content.isEmpty()) {
            content.add(words(message));
        }
        update.put("content", content);
        copy(detail, "locations", update, "locations");
        return update;
    }

    private static Map<String, Object> plan(JsonFields detail) {
        Map<String, Object> update = update("plan");
        update.put(
                "entries",
                detail.list("entries").stream()
                        .map(
                                step ->
                                        Map.of(
                                                "content",
                                                step.shown("content"),
                                                "status",
                                                or(step.shown("status"), "pending"),
                                                "priority",
                                                or(step.shown("priority"), "medium")))
                        .toList());
        return update;
    }

    private static String or(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }

    private static Map<String, Object> words(String text) {
        return Map.of("type", "content", "content", Map.of("type", "text", "text", text));
    }

    private static void copy(JsonFields from, String field, Map<String, Object> to, String name) {
        from.json(field)
                .filter(json -> !json.equals("null"))
                .map(Json::raw)
                .ifPresent(value -> to.put(name, value));
    }

    private static Map<String, Object> update(String kind) {
        Map<String, Object> update = new LinkedHashMap<>();
        update.put("sessionUpdate", kind);
        return update;
    }
}
