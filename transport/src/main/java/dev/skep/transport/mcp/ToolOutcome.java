package dev.skep.transport.mcp;

import java.util.Map;

/** What a tool's call came to. */
public sealed interface ToolOutcome {
    /** It is over; its failure is a result too. */
    record Complete(Map<String, Object> result) implements ToolOutcome {}

    /**
     * It waits for a person's yes, and nothing was done yet.
     *
     * @param state comes back with the answer
     */
    record Question(String question, String state) implements ToolOutcome {}
}
