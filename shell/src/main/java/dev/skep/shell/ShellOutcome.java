package dev.skep.shell;

/** The state of a shell command; its output is what was printed since the previous outcome. */
public sealed interface ShellOutcome {
    CappedOutput output();

    /** The command is over. */
    record Finished(int status, CappedOutput output, String cwd) implements ShellOutcome {}

    /** The timeout passed first. */
    record StillRunning(CappedOutput output) implements ShellOutcome {}

    /**
     * The shell itself is gone.
     *
     * @param reason one line for the agent
     */
    record Ended(String reason, CappedOutput output) implements ShellOutcome {}
}
