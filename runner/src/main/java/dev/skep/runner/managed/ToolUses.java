package dev.skep.runner.managed;

import dev.skep.runner.acp.SessionUpdate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tools that a runtime uses in a turn, in the order in which they began. Not thread-safe. */
final class ToolUses {
    private static final int MOST_OPEN = 64;
    private static final int MOST_OVER = 1_000;

    private final Map<String, ToolUse> open = new LinkedHashMap<>();

    /** Those that ended in this turn: what is told of them later is told too late. */
    private final Set<String> over = new LinkedHashSet<>();

    boolean isNew(String id) {
        return !open.containsKey(id) && !over.contains(id);
    }

    void take(SessionUpdate.ToolCall call, long now) {
        if (!over.contains(call.toolCallId())) {
            known(call.toolCallId(), now).take(call);
        }
    }

    void take(SessionUpdate.ToolCallUpdate update, long now) {
        if (!over.contains(update.toolCallId())) {
            known(update.toolCallId(), now).take(update);
        }
    }

    ToolUse known(String id, long now) {
        if (!open.containsKey(id) && open.size() >= MOST_OPEN) {
            throw new EndlessTurnException(
                    "its runtime uses more than %d tools at once".formatted(MOST_OPEN));
        }
        return open.computeIfAbsent(id, _ -> new ToolUse(id, now));
    }

    boolean hasOpen() {
        return !open.isEmpty();
    }

    List<ToolUse> open() {
        return open.isEmpty() ? Collections.emptyList() : List.copyOf(open.values());
    }

    void over(ToolUse use) {
        open.remove(use.id());
        over.add(use.id());
        if (over.size() > MOST_OVER) {
            over.remove(over.iterator().next());
        }
    }

    void clear() {
        open.clear();
        over.clear();
    }
}
