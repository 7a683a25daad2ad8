package dev.skep.runner.approval;

import dev.skep.transport.route.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a person needs to see before a yes, beside the command: written as JSON into the approval
 * and, with the same names, into the log line that has its id, from which hubs show it.
 *
 * @param title what it is in the runtime's words
 * @param kind as runtimes name it: read, edit, delete, move, execute, fetch and others
 * @param path the file it is about
 * @param diff what an edit changes
 * @param options what the runtime itself offers: allow_once, allow_always, reject_once,
 *     reject_always
 */
public record ApprovalDetail(
        @Nullable String title,
        @Nullable String kind,
        @Nullable String path,
        List<FileChange> diff,
        List<String> options) {

    /** A file before and after; a new one has nothing before. */
    public record FileChange(String path, @Nullable String oldText, @Nullable String newText) {}

    /** For {@link Approval#detail}; what is not known is left out. */
    public String json() {
        Map<String, Object> json = new LinkedHashMap<>();
        putIfKnown(json, "title", title);
        putIfKnown(json, "kind", kind);
        putIfKnown(json, "path", path);
        if (!diff.isEmpty()) {
            json.put("diff", diff);
        }
        if (!options.isEmpty()) {
            json.put("options", options);
        }
        return Json.text(json);
    }

    private static void putIfKnown(Map<String, Object> json, String name, @Nullable String value) {
        if (value != null) {
            json.put(name, value);
        }
    }
}
