package dev.skep.runner.loop;

import dev.skep.shell.Shell;
import dev.skep.shell.ShellOutcome;
import java.time.Duration;

/** An agent's shell, given up when its loop is stopped or its turn cancelled. */
record InterruptibleShell(Shell shell, LoopControls controls) implements Shell {
    @Override
    public ShellOutcome run(String command, Duration timeout) throws InterruptedException {
        return controls.interruptibly(() -> shell.run(command, timeout));
    }

    @Override
    public ShellOutcome await(Duration timeout) throws InterruptedException {
        return controls.interruptibly(() -> shell.await(timeout));
    }

    @Override
    public ShellOutcome type(String text, Duration timeout) throws InterruptedException {
        return controls.interruptibly(() -> shell.type(text, timeout));
    }

    @Override
    public ShellOutcome kill() throws InterruptedException {
        return controls.interruptibly(shell::kill);
    }

    @Override
    public boolean busy() {
        return shell.busy();
    }

    @Override
    public String cwd() {
        return shell.cwd();
    }

    @Override
    public void close() {
        shell.close();
    }
}
