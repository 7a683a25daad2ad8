package dev.skep.shell;

import java.time.Duration;

/**
 * One agent's bash: working folder and variables last from command to command. Used by one thread
 * at a time, but {@link #close} may come from any. An interrupted wait leaves the command running.
 */
public interface Shell extends AutoCloseable {
    /** Runs a command line; not allowed while busy. */
    ShellOutcome run(String command, Duration timeout) throws InterruptedException;

    /** Waits again for the command that is still running. */
    ShellOutcome await(Duration timeout) throws InterruptedException;

    /** Sends text and a line end to the running command's input, then waits. */
    ShellOutcome type(String text, Duration timeout) throws InterruptedException;

    /** INT, then TERM, then KILL to the running command's processes until it is over. */
    ShellOutcome kill() throws InterruptedException;

    boolean busy();

    /** The working folder after the last finished command. */
    String cwd();

    /** Ends the shell and everything it spawned; returns when none of it is left. */
    @Override
    void close();
}
