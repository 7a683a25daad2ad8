package dev.skep.runner.acp;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An agent asks whether it may use a tool.
 *
 * @param toolCall what it wants to do; the first that is heard of it with some agents
 * @param options in the agent's own order, which means nothing
 * @param meta JSON: what the agent adds to the request outside of the protocol's own fields
 * @param toolMeta JSON: the same of the tool call
 */
public record PermissionRequest(
        String sessionId,
        SessionUpdate.ToolCallUpdate toolCall,
        List<Option> options,
        @Nullable String meta,
        @Nullable String toolMeta) {
    public PermissionRequest {
        options = List.copyOf(options);
    }

    /** One of the answers that the agent offers; ids are the agent's own. */
    public record Option(String id, String name, Kind kind) {}

    /** What an answer means. */
    public enum Kind {
        ALLOW_ONCE,
        ALLOW_ALWAYS,
        REJECT_ONCE,
        REJECT_ALWAYS,
        /** A word that this version does not know. */
        OTHER
    }

    /** The first option of a kind. */
    public Optional<Option> option(Kind kind) {
        return options.stream().filter(option -> option.kind() == kind).findFirst();
    }

    /** The answer that chooses the first option of the first of these kinds that is offered. */
    public PermissionOutcome choose(Kind... preferred) {
        for (Kind kind : preferred) {
            Optional<Option> found = option(kind);
            if (found.isPresent()) {
                return new PermissionOutcome.Selected(found.get().id());
            }
        }
        return new PermissionOutcome.Cancelled();
    }
}
