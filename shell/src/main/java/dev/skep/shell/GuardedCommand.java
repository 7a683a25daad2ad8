package dev.skep.shell;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** A command that ends with this runner: its guard holds the other end of a pipe to it. */
public final class GuardedCommand implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Process process;
    private final SandboxedCommands commands;
    private final String mark;

    GuardedCommand(Process process, SandboxedCommands commands, String mark) {
        this.process = process;
        this.commands = commands;
        this.mark = mark;
    }

    /** Its guard, which ends with it and with its status, and whose output is the command's. */
    public Process process() {
        return process;
    }

    /** Ends it and all it started: TERM, and KILL after a while. */
    public void end() {
        try {
            OutputStream leash = process.getOutputStream();
            leash.write("end\n".getBytes(StandardCharsets.UTF_8));
            leash.flush();
        } catch (IOException over) {
            // The guard is gone, and all else with it.
        }
        awaitEnd(SandboxedCommands.JOB_GRACE.plus(PATIENCE));
        close();
    }

    /** Nothing it started is left after this. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException alreadyClosed) {
            // it is what was wanted
        }
        if (!awaitEnd(PATIENCE)) {
            process.destroyForcibly();
            awaitEnd(PATIENCE);
        }
        commands.sweep(mark);
    }

    /** An interrupt asks for the end, so it is no reason to leave the command half ended. */
    private boolean awaitEnd(Duration patience) {
        try {
            process.onExit().orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).join();
            return true;
        } catch (CompletionException stillThere) {
            return false;
        }
    }
}
