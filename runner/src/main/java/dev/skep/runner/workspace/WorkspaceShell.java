package dev.skep.runner.workspace;

import dev.skep.shell.CappedOutput;
import dev.skep.shell.Shell;
import dev.skep.shell.ShellOutcome;
import dev.skep.shell.ShellSettings;
import dev.skep.shell.Shells;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A shell in an agent's workspace, which is made when the first command needs it. */
public final class WorkspaceShell implements Shell {
    private final Workspaces workspaces;
    private final WorkspacePlace place;
    private final Shells shells;
    private final ShellSettings settings;
    private volatile @Nullable Shell open;
    private volatile boolean closed;

    public WorkspaceShell(
            Workspaces workspaces, WorkspacePlace place, Shells shells, ShellSettings settings) {
        this.workspaces = workspaces;
        this.place = place;
        this.shells = shells;
        this.settings = settings;
    }

    @Override
    public ShellOutcome run(String command, Duration timeout) throws InterruptedException {
        Shell shell = open;
        if (shell == null) {
            switch (workspaces.prepare(place)) {
                case Workspaces.Prepared.Refused(var why) -> {
                    return new ShellOutcome.Ended(why, CappedOutput.whole(""));
                }
                case Workspaces.Prepared.Ready _ -> shell = opened();
            }
        }
        return shell.run(command, timeout);
    }

    private synchronized Shell opened() {
        Shell shell = shells.open(settings);
        open = shell;
        if (closed) {
            shell.close();
        }
        return shell;
    }

    @Override
    public ShellOutcome await(Duration timeout) throws InterruptedException {
        Shell shell = open;
        return shell == null ? nothingRuns() : shell.await(timeout);
    }

    @Override
    public ShellOutcome type(String text, Duration timeout) throws InterruptedException {
        Shell shell = open;
        return shell == null ? nothingRuns() : shell.type(text, timeout);
    }

    @Override
    public ShellOutcome kill() throws InterruptedException {
        Shell shell = open;
        return shell == null ? nothingRuns() : shell.kill();
    }

    private static ShellOutcome nothingRuns() {
        return new ShellOutcome.Ended("nothing runs", CappedOutput.whole(""));
    }

    @Override
    public boolean busy() {
        Shell shell = open;
        return shell != null && shell.busy();
    }

    @Override
    public String cwd() {
        Shell shell = open;
        return shell == null ? place.repository().toString() : shell.cwd();
    }

    @Override
    public synchronized void close() {
        closed = true;
        Shell shell = open;
        if (shell != null) {
            shell.close();
        }
    }
}
