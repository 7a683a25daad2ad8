package dev.skep.runner.managed;

import dev.skep.runner.acp.PermissionRequest;
import dev.skep.runner.approval.ApprovalDetail;
import dev.skep.runner.approval.ApprovalDetail.FileChange;
import dev.skep.shell.redact.Redactor;
import dev.skep.transport.route.Json;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a person sees of the use of a tool that waits for approval. */
final class PermissionDetail {
    private static final int LONGEST_TEXT = 32 * 1024;
    private static final int MOST_FILES = 4;
    private static final int MOST_OPTIONS = 20;

    private PermissionDetail() {}

    static String of(ToolUse use, PermissionRequest request, Redactor redactor) {
        List<FileChange> changes =
                use.diffs().stream()
                        .limit(MOST_FILES)
                        .map(
                                diff ->
                                        new FileChange(
                                                diff.path(),
                                                cut(diff.oldText()),
                                                cut(diff.newText())))
                        .toList();
        List<String> options =
                request.options().stream()
                        .limit(MOST_OPTIONS)
                        .map(option -> option.kind().name().toLowerCase(Locale.ROOT))
                        .toList();
        var detail = new ApprovalDetail(use.title(), use.kind(), path(use), changes, options);
        return Json.mapped(detail.json(), redactor::redact);
    }

    private static @Nullable String path(ToolUse use) {
        if (!use.diffs().isEmpty()) {
            return use.diffs().getFirst().path();
        }
        return use.locations().isEmpty() ? null : use.locations().getFirst().path();
    }

    private static @Nullable String cut(@Nullable String text) {
        return text == null ? null : TextTruncator.cut(text, LONGEST_TEXT);
    }
}
