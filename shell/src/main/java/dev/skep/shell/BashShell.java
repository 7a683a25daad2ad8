package dev.skep.shell;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A {@link Shell} over a guarded bash, which starts with the first command. */
final class BashShell implements Shell {
    private static final int TYPED_LIMIT = 32 * 1024;

    private final Supplier<ShellLaunch> launches;
    private final OutputWindow window;
    private final Duration grace;

    private volatile @Nullable ShellProcess process;
    private volatile boolean closed;
    private volatile boolean busy;
    private volatile String cwd;

    private ShellLaunch launch;
    private long number;
    private long shellPid;
    private boolean prepared;
    private int typed;
    private List<Long> jobs = List.of();

    BashShell(Supplier<ShellLaunch> launches, int outputChars, Duration grace) {
        this.launches = launches;
        this.launch = launches.get();
        this.window = new OutputWindow(outputChars);
        this.grace = grace;
        this.cwd = launch.folder().toString();
    }

    @Override
    public ShellOutcome run(String command, Duration timeout) throws InterruptedException {
        if (busy) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "the shell of %s is busy; wait, type or kill first".formatted(launch.agent()));
        }
        try {
            ShellProcess shell = started();
            var lines = new StringBuilder();
            if (!prepared) {
                lines.append(BashLines.prepare(cwd));
                prepared = true;
            }
            if (typed > 0) {
                lines.append(BashLines.drain());
                typed = 0;
            }
            busy = true;
            shell.feed(lines.append(BashLines.run(launch.token(), ++number, command)).toString());
        } catch (IOException e) {
            return gone("the shell cannot be used: " + e.getMessage());
        }
        return await(timeout);
    }

    @Override
    public ShellOutcome await(Duration timeout) throws InterruptedException {
        ShellOutcome end = end(timeout);
        return end == null ? new ShellOutcome.StillRunning(window.take()) : end;
    }

    @Override
    public ShellOutcome type(String text, Duration timeout) throws InterruptedException {
        typed += text.length() + 1;
        if (typed > TYPED_LIMIT) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "more than %,d characters typed into one command; kill it and give it a file"
                            .formatted(TYPED_LIMIT));
        }
        ShellProcess shell = process;
        if (busy && shell != null) {
            try {
                shell.type(text + "\n");
            } catch (IOException e) {
                return gone("the shell cannot be used: " + e.getMessage());
            }
        }
        return await(timeout);
    }

    @Override
    public ShellOutcome kill() throws InterruptedException {
        ShellProcess shell = process;
        if (!busy || shell == null) {
            return gone("nothing runs");
        }
        ShellProcesses processes = shell.processes(shellPid);
        List<Runnable> measures =
                List.of(
                        processes::interrupt,
                        () -> processes.terminate(jobs),
                        () -> processes.kill(jobs),
                        processes::killShell,
                        shell::close);
        for (Runnable measure : measures) {
            measure.run();
            ShellOutcome end = end(grace);
            if (end != null) {
                return end;
            }
        }
        return gone("the shell did not end");
    }

    @Override
    public boolean busy() {
        return busy;
    }

    @Override
    public String cwd() {
        return cwd;
    }

    @Override
    public void close() {
        ShellProcess open;
        synchronized (this) {
            closed = true;
            open = process;
        }
        if (open != null) {
            open.close();
        }
    }

    private ShellProcess started() throws IOException, InterruptedException {
        ShellProcess running = process;
        if (running != null) {
            // Reports since the last command: bash or the guard may have been killed.
            ShellReport missed = running.nextReport(Duration.ZERO);
            while (missed != null) {
                take(missed);
                missed = running.nextReport(Duration.ZERO);
            }
        }
        if (process == null) {
            if (number > 0) {
                launch = launches.get();
            }
            ShellProcess fresh = ShellProcess.start(launch, window);
            prepared = false;
            synchronized (this) {
                process = fresh;
            }
            if (closed) {
                fresh.close();
            }
        }
        if (closed || process == null) {
            throw new IOException("it is closed");
        }
        return process;
    }

    /** The end of the running command, or null when it has not come in time. */
    private @Nullable ShellOutcome end(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (busy) {
            ShellProcess shell = process;
            if (shell == null) {
                return gone("the shell is gone");
            }
            ShellReport report = shell.nextReport(Duration.ofNanos(deadline - System.nanoTime()));
            if (report == null) {
                return null;
            }
            ShellOutcome outcome = take(report);
            if (outcome != null) {
                return outcome;
            }
        }
        return gone("nothing runs");
    }

    private @Nullable ShellOutcome take(ShellReport report) {
        switch (report) {
            case ShellReport.ShellStarted started -> shellPid = started.pid();
            case ShellReport.CommandEnded ended -> {
                // A bash that began after an exit reads the line meant for the one before.
                if (busy && ended.number() == number) {
                    busy = false;
                    jobs = ended.jobs();
                    cwd = ended.cwd();
                    return new ShellOutcome.Finished(ended.status(), window.take(), cwd);
                }
            }
            case ShellReport.ShellEnded ended -> {
                prepared = false;
                jobs = List.of();
                if (busy) {
                    return gone(
                            "the shell exited with status %d; a new one starts in %s without its variables"
                                    .formatted(ended.status(), cwd));
                }
            }
            case ShellReport.Gone _ -> {
                process = null;
                if (busy) {
                    return gone(
                            closed
                                    ? "the shell was closed"
                                    : "the shell was killed; a new one starts in " + cwd);
                }
            }
            case ShellReport.Opened _, ShellReport.Failed _ -> {}
        }
        return null;
    }

    private ShellOutcome gone(String reason) {
        busy = false;
        return new ShellOutcome.Ended(reason, window.take());
    }
}
