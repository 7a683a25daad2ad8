package dev.skep.kernel.job;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Whether a caller may create a type of job. */
public final class JobPermissions {
    /** What agents may ask for where no admin has chosen. */
    public static final List<String> GRANTED_AT_FIRST =
            Arrays.stream(JobKind.values())
                    .map(JobKind::type)
                    .filter(type -> JobKind.byAgents(type) == JobKind.ByAgents.UNLESS_WITHDRAWN)
                    .toList();

    private JobPermissions() {}

    /**
     * Whether this caller may ask for such a job.
     *
     * @param granted the types the caller's org grants to its agents
     */
    public static boolean mayAsk(Principal who, String type, Collection<String> granted) {
        return switch (who) {
            case Principal.Local _ -> true;
            case Principal.Operator operator -> operator.role().includes(Role.OPERATOR);
            case Principal.Host _ -> false;
            case Principal.Agent _ -> isGrantable(type) && granted.contains(type);
        };
    }

    /** Throws if the caller may not create this type, with what would help. */
    public static void require(Principal who, String type, Collection<String> granted) {
        if (!mayAsk(who, type, granted)) {
            throw new SkepException(ErrorCode.FORBIDDEN, why(who, type));
        }
    }

    private static String why(Principal who, String type) {
        if (!(who instanceof Principal.Agent)) {
            return "only operators may ask for jobs";
        }
        return isGrantable(type)
                ? "this org does not grant %s to agents; an admin can: skep jobs policy --agents TYPES"
                        .formatted(type)
                : "%s is for people; no agent's key may ask for it".formatted(type);
    }

    /** Whether an org can let agents ask for it. */
    public static boolean isGrantable(String type) {
        return JobKind.byAgents(type) != JobKind.ByAgents.NEVER;
    }

    /**
     * Whether this caller may cancel or repeat a job: an agent only what it asked for itself, and
     * still may.
     *
     * @param createdBy the label of who asked for it
     */
    public static void requireOver(
            Principal who, String type, String createdBy, Collection<String> granted) {
        require(who, type, granted);
        if (who instanceof Principal.Agent && !createdBy.equals(who.label())) {
            throw new SkepException(
                    ErrorCode.FORBIDDEN,
                    "an agent's key may cancel and retry only jobs it asked for itself");
        }
    }
}
