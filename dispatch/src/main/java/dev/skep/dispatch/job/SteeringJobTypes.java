package dev.skep.dispatch.job;

import dev.skep.kernel.job.JobPermissions;

/**
 * Jobs by which people steer agents, all {@code agent.…} but {@code agent.task}. They are short, go
 * before all others of their host, and its limits do not apply to them: stopping an agent must not
 * wait until the agent is done.
 */
public final class SteeringJobTypes {
    /** Runs with this priority or a higher one steer; the priorities people give are below. */
    public static final int FLOOR = 1_000_000;

    private SteeringJobTypes() {}

    public static boolean steers(NewJob job) {
        return !JobPermissions.isGrantable(job.type());
    }

    /** The priority of a job's runs among those of its host. */
    public static int standing(NewJob job) {
        return steers(job)
                ? FLOOR + Math.max(0, job.priority())
                : Math.min(job.priority(), FLOOR - 1);
    }
}
