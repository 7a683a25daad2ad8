package dev.skep.runner.approval;

/** What a person may say to a command that waits. */
public enum ApprovalChoice {
    /** Yes to this one. */
    ONCE,
    /** Yes to this one and all like it: the agent's file allows them from now on. */
    ALWAYS,
    DENY;

    Approval.Decision decision() {
        return this == DENY ? Approval.Decision.DENIED : Approval.Decision.APPROVED;
    }
}
