package dev.skep.runner.workspace;

import java.util.ArrayList;
import java.util.List;

/**
 * Work that would be lost with a workspace.
 *
 * @param commits their first lines
 * @param files that have changes in no commit
 * @param unknown why it cannot be told, or empty
 */
public record UnmergedWork(List<String> commits, List<String> files, String unknown) {
    private static final int NAMED = 3;

    public UnmergedWork {
        commits = List.copyOf(commits);
        files = List.copyOf(files);
    }

    public boolean isNone() {
        return commits.isEmpty() && files.isEmpty() && unknown.isEmpty();
    }

    /** In words; what there is much of is named in part. */
    public String described() {
        if (!unknown.isEmpty()) {
            return "work that cannot be looked at (%s)".formatted(unknown);
        }
        List<String> parts = new ArrayList<>();
        add(parts, commits, "commit");
        add(parts, files, "uncommitted file");
        return String.join(" and ", parts);
    }

    private static void add(List<String> parts, List<String> all, String what) {
        if (!all.isEmpty()) {
            List<String> named = all.subList(0, Math.min(NAMED, all.size()));
            parts.add(
                    "%d %s%s (%s%s)"
                            .formatted(
                                    all.size(),
                                    what,
                                    all.size() == 1 ? "" : "s",
                                    String.join(", ", named),
                                    all.size() > NAMED ? ", ..." : ""));
        }
    }
}
