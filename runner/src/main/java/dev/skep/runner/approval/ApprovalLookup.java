package dev.skep.runner.approval;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.id.Ids;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Which command a person at this machine means by a part of its id. It is found before anything is
 * asked of the runner, which takes full ids only: by then another command may wait.
 */
public final class ApprovalLookup {
    private ApprovalLookup() {}

    /**
     * The one of those that wait whose id begins or ends so; with nothing given, the only one.
     *
     * @param waiting the full ids
     */
    public static ApprovalId matching(Collection<String> waiting, String given) {
        String part = given.strip().toUpperCase(Locale.ROOT);
        if (Ids.isUlid(part)) {
            return new ApprovalId(part);
        }
        List<String> meant =
                waiting.stream().filter(id -> id.endsWith(part) || id.startsWith(part)).toList();
        if (meant.size() > 1) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "%d commands wait; say which by its id, 'skep approvals' lists them"
                            .formatted(meant.size()));
        }
        if (meant.isEmpty()) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    part.isEmpty()
                            ? "no command waits for approval"
                            : "no command waits for approval under '%s'; 'skep approvals' lists them"
                                    .formatted(given));
        }
        return new ApprovalId(meant.getFirst());
    }
}
