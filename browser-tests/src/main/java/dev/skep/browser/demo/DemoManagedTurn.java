package dev.skep.browser.demo;

import dev.skep.agents.session.LogEntry;
import dev.skep.browser.demo.DemoTurn.Said;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A turn of an agent whose runtime is another program: thoughts, a plan, tools, a diff. */
final class DemoManagedTurn {
    /** The agent of the made-up fleet that is managed. */
    static final int AGENT = 3;

    /** What an edit changes, as the log line of its tool has it. */
    static final String CHANGE =
            """
            {"path":"src/limits.ts","oldText":"export const limits = {\\n  retries: 3,\\n  timeout: 5_000,\\n};\\n",\
            "newText":"export const limits = {\\n  retries: 3,\\n  // The gate answers within 20 s.\\n  timeout: 20_000,\\n};\\n"}""";

    /** The approval of that edit: what the agent's host wrote into the line that asks. */
    static final String ASKED =
            """
            {"toolCallId":"edit-40","kind":"edit","title":"Raise the timeout of the gate",\
            "path":"src/limits.ts","command":"src/limits.ts","diff":[%s]}"""
                    .formatted(CHANGE);

    private static final String PLAN =
            """
            {"entries":[{"content":"Find why the gate gives up","status":"completed"},\
            {"content":"Raise its timeout","status":"in_progress"},\
            {"content":"Run the tests of the gate","status":"pending"}]}""";

    private DemoManagedTurn() {}

    static List<Said> of(int turn) {
        String read = "read-" + turn;
        String edit = "edit-" + turn;
        String test = "test-" + turn;
        boolean fails = turn % 7 == 6;
        return List.of(
                said(
                        LogEntry.Type.THOUGHT,
                        "The gate closes after 5 s.\nIts other side needs 12 s at night, so the limit is too low.",
                        null),
                said(LogEntry.Type.PLAN, "1 of 3 steps done", PLAN),
                said(LogEntry.Type.TOOL_CALL, "Read src/limits.ts", call(read, "read")),
                said(LogEntry.Type.TOOL_RESULT, "5 lines", result(read, "read", "completed", "")),
                said(LogEntry.Type.TOOL_CALL, "Edit src/limits.ts", call(edit, "edit")),
                said(
                        LogEntry.Type.TOOL_RESULT,
                        "",
                        result(edit, "edit", "completed", ",\"diffs\":[%s]".formatted(CHANGE))),
                said(LogEntry.Type.TOOL_CALL, "npm test -- gate", call(test, "execute")),
                said(
                        LogEntry.Type.TOOL_RESULT,
                        fails ? "1 of 14 tests failed: closes_in_time" : "14 tests passed",
                        result(test, "execute", fails ? "failed" : "completed", "")),
                said(LogEntry.Type.REPLY, "The gate waits 20 s now, and its tests pass.", null),
                said(
                        LogEntry.Type.TURN_END,
                        "",
                        fails
                                ? "{\"stopReason\":\"max_tokens\"}"
                                : "{\"stopReason\":\"end_turn\"}"));
    }

    /** The edit that waits for a person's yes. */
    static Said asks() {
        return said(LogEntry.Type.TOOL_CALL, "Raise the timeout of the gate", ASKED);
    }

    private static String call(String id, String kind) {
        return "{\"toolCallId\":\"%s\",\"kind\":\"%s\"}".formatted(id, kind);
    }

    private static String result(String id, String kind, String status, String more) {
        return "{\"toolCallId\":\"%s\",\"kind\":\"%s\",\"status\":\"%s\"%s}"
                .formatted(id, kind, status, more);
    }

    private static Said said(LogEntry.Type type, String text, @Nullable String detail) {
        return new Said(LogEntry.Role.ASSISTANT, LogEntry.Source.RUNTIME, type, text, detail);
    }
}
