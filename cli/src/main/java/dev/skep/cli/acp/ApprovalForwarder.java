package dev.skep.cli.acp;

import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks the editor about each approval that waits, once, and passes on what it says. */
final class ApprovalForwarder {
    private static final long AGAIN = 300;

    private final String sessionId;
    private final AgentClient agent;
    private final EditorConnection editor;
    private final LogUpdates updates;
    private final Map<String, EditorConnection.Question> asked = new HashMap<>();
    private final Set<String> stillWaiting = ConcurrentHashMap.newKeySet();

    ApprovalForwarder(
            String sessionId, AgentClient agent, EditorConnection editor, LogUpdates updates) {
        this.sessionId = sessionId;
        this.agent = agent;
        this.editor = editor;
        this.updates = updates;
    }

    /** Looks at what waits now; called by one thread. */
    void look() {
        List<JsonFields> waiting = agent.approvals();
        Set<String> ids = waiting.stream().map(each -> each.text("id")).collect(Collectors.toSet());
        stillWaiting.addAll(ids);
        stillWaiting.retainAll(ids);
        asked.entrySet()
                .removeIf(
                        each -> {
                            boolean over = !ids.contains(each.getKey());
                            if (over) {
                                editor.takeBack(each.getValue());
                            }
                            return over;
                        });
        waiting.forEach(
                each -> {
                    if (!asked.containsKey(each.text("id"))) {
                        ask(each);
                    }
                });
    }

    private void ask(JsonFields approval) {
        String id = approval.text("id");
        Map<String, Object> params =
                Map.of(
                        "sessionId",
                        sessionId,
                        "toolCall",
                        toolCall(approval),
                        "options",
                        options(approval));
        EditorConnection.Question question = editor.ask("session/request_permission", params);
        asked.put(id, question);
        Thread.ofVirtual()
                .name("approval-" + id)
                .start(
                        () -> {
                            try {
                                decision(question.answer().join())
                                        .ifPresent(said -> passOn(id, said));
                            } catch (RuntimeException takenBack) {
                                // decided elsewhere
                            }
                        });
    }

    private static Optional<AgentClient.Decision> decision(JsonFields answer) {
        String option =
                answer.object("result")
                        .flatMap(result -> result.object("outcome"))
                        .map(outcome -> outcome.shown("optionId"))
                        .orElse("");
        return switch (option) {
            case "once" -> Optional.of(AgentClient.Decision.ONCE);
            case "always" -> Optional.of(AgentClient.Decision.ALWAYS);
            case "deny" -> Optional.of(AgentClient.Decision.DENY);
            // Cancelled, or an editor that cannot: it waits for somebody else.
            default -> Optional.empty();
        };
    }

    private void passOn(String approval, AgentClient.Decision said) {
        while (stillWaiting.contains(approval)) {
            try {
                agent.decide(approval, said);
                return;
            } catch (SkepException e) {
                if (!ConnectionFailures.mayPass(e)) {
                    return;
                }
                try {
                    Thread.sleep(AGAIN);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    private static List<Map<String, Object>> options(JsonFields approval) {
        List<Map<String, Object>> options = new ArrayList<>();
        options.add(option("once", "Allow", "allow_once"));
        boolean mayAlways =
                approval.has("mayAlways") ? approval.flag("mayAlways") : approval.has("always");
        if (mayAlways) {
            options.add(option("always", "Always allow", "allow_always"));
        }
        options.add(option("deny", "Deny", "reject_once"));
        return options;
    }

    private static Map<String, Object> option(String id, String name, String kind) {
        return Map.of("optionId", id, "name", name, "kind", kind);
    }

    private Map<String, Object> toolCall(JsonFields approval) {
        String command = approval.shown("command");
        // A runner has it in a detail, a hub beside the command.
        JsonFields detail = approval.object("detail").orElse(approval);
        Map<String, Object> call = new LinkedHashMap<>();
        call.put("toolCallId", updates.toolCallOf(approval.text("id"), command));
        call.put("title", or(detail.shown("title"), command));
        call.put("kind", or(detail.shown("kind"), "execute"));
        call.put("status", "pending");
        call.put("rawInput", Map.of("command", command));
        String path = detail.shown("path");
        if (!path.isEmpty()) {
            call.put("locations", List.of(Map.of("path", path)));
        }
        List<Object> content = diffs(detail, path);
        if (!content.isEmpty()) {
            call.put("content", content);
        }
        return call;
    }

    private static List<Object> diffs(JsonFields detail, String path) {
        List<Object> content = new ArrayList<>();
        if (!detail.json("diff").orElse("").startsWith("[")) {
            return content;
        }
        for (JsonFields diff : detail.list("diff")) {
            Map<String, @Nullable Object> shown = new LinkedHashMap<>();
            shown.put("type", "diff");
            shown.put("path", or(diff.shown("path"), path));
            shown.put("oldText", diff.json("oldText").map(Json::raw).orElse(null));
            shown.put("newText", diff.shown("newText"));
            content.add(shown);
        }
        return content;
    }

    private static String or(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }
}
