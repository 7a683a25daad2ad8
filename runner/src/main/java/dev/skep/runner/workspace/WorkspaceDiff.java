package dev.skep.runner.workspace;

import java.util.List;

/**
 * What an agent changed, committed or not, against the commit that it started from.
 *
 * @param branch empty if none is checked out
 * @param text the changes as a unified diff
 * @param cut whether there is more text than is shown
 * @param incomplete whether git could not read some files
 */
public record WorkspaceDiff(
        String branch,
        String base,
        List<ChangedFile> files,
        String text,
        boolean cut,
        boolean incomplete) {
    public WorkspaceDiff {
        files = List.copyOf(files);
    }
}
