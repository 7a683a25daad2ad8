package dev.skep.dispatch.job;

import dev.skep.kernel.job.JobPermissions;

/**
 * Jobs by which people steer agents, all {@code agent.…} but {@code agent.task}. They are short and
 * stand before all others of their host, and its limits do not hold for them: who wants to stop an
 * agent must not wait until the agent is done.
 */
public final class SteeringJobTypes {
    /** Runs that stand at or above this are of this kind; the priorities people give are below. */
    public static final int FLOOR = 1_000_000;

    private SteeringJobTypes() {}

    public static boolean steers(NewJob job) {
        return !JobPermissions.isGrantable(job.type());
    }

    /** Where the runs of a job stand among those of its host. */
    public static int standing(NewJob job) {
        return steers(job)
                ? FLOOR + Math.max(0, job.priority())
                : Math.min(job.priority(), FLOOR - 1);
    }
}
