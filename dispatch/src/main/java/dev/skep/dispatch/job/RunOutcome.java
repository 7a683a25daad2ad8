package dev.skep.dispatch.job;

/** How a run ended according to its host. */
public enum RunOutcome {
    SUCCEEDED(RunStatus.SUCCEEDED),
    FAILED(RunStatus.FAILED),
    CANCELLED(RunStatus.CANCELLED),
    TIMED_OUT(RunStatus.TIMED_OUT);

    private final RunStatus status;

    RunOutcome(RunStatus status) {
        this.status = status;
    }

    public RunStatus status() {
        return status;
    }
}
