package dev.skep.runner.jobs;

/** One kind of job this host can do; a new kind is one class. Thread-safe. */
public interface JobType {
    /** Whether jobs of this type name are for this class. */
    boolean does(String type);

    /**
     * Does a run. Interrupted when it is to end early: then it stops what it started and throws
     * {@link InterruptedException}.
     */
    JobResult run(AssignedRun run, Output output) throws InterruptedException;
}
