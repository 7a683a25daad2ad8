package dev.skep.runner.managed;

import dev.skep.agents.session.LogEntry;
import dev.skep.runner.acp.SessionUpdate;
import dev.skep.runner.loop.LogEntryDraft;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * The tools that a runtime uses in a turn, in the order in which they began, and their lines in the
 * agent's log. Not thread-safe.
 */
final class ToolUses {
    private static final int MOST_OPEN = 64;
    private static final int MOST_OVER = 1_000;

    private final Map<String, ToolUse> open = new LinkedHashMap<>();

    /** Those that ended in this turn: what is told of them later is told too late. */
    private final Set<String> over = new LinkedHashSet<>();

    private final Function<LogEntryDraft, List<LogEntry>> log;

    /**
     * None is used yet.
     *
     * @param log stores a line
     */
    ToolUses(Function<LogEntryDraft, List<LogEntry>> log) {
        this.log = log;
    }

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

    private List<ToolUse> open() {
        return open.isEmpty() ? Collections.emptyList() : List.copyOf(open.values());
    }

    /** Since when the oldest is used that is not stored yet; empty if all are. */
    OptionalLong unstoredSince() {
        return open.values().stream()
                .filter(use -> use.logId() == null)
                .mapToLong(ToolUse::since)
                .min();
    }

    /** Stores those whose input is known, and those that ended. */
    void storeReady() {
        for (ToolUse use : open()) {
            if (use.logId() == null && (use.hasInput() || use.isOver())) {
                storeCall(use);
            }
            if (use.isOver()) {
                storeResult(use, use.status());
            }
        }
    }

    /** Stores all that have begun. */
    void storePending() {
        for (ToolUse use : open()) {
            if (use.logId() == null) {
                storeCall(use);
            }
        }
    }

    /** Stores all, and that those which have not ended did so with this status. */
    void close(String status) {
        storePending();
        open().forEach(use -> storeResult(use, status));
    }

    private void storeCall(ToolUse use) {
        use.storedAs(
                log.apply(
                                LogEntryDraft.ofRuntime(
                                        LogEntry.Type.TOOL_CALL,
                                        use.title(),
                                        LogDetailJson.toolCall(use)))
                        .getFirst()
                        .id());
    }

    private void storeResult(ToolUse use, String status) {
        over(use);
        var unused =
                log.apply(
                        LogEntryDraft.ofRuntime(
                                LogEntry.Type.TOOL_RESULT,
                                use.result(),
                                LogDetailJson.toolResult(use, status)));
    }

    private void over(ToolUse use) {
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
