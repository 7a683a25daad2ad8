package dev.skep.runner;

import dev.skep.shell.Shell;
import dev.skep.shell.ShellOutcome;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A shell that is made when it is first used: most agents never need theirs. */
final class LazyShell implements Shell {
    private final Supplier<Shell> shells;
    private @Nullable Shell made;
    private boolean closed;

    LazyShell(Supplier<Shell> shells) {
        this.shells = shells;
    }

    private synchronized Shell shell() {
        Shell known = made;
        if (known == null) {
            known = shells.get();
            made = known;
            if (closed) {
                known.close();
            }
        }
        return known;
    }

    private synchronized @Nullable Shell ifMade() {
        return made;
    }

    @Override
    public ShellOutcome run(String command, Duration timeout) throws InterruptedException {
        return shell().run(command, timeout);
    }

    @Override
    public ShellOutcome await(Duration timeout) throws InterruptedException {
        return shell().await(timeout);
    }

    @Override
    public ShellOutcome type(String text, Duration timeout) throws InterruptedException {
        return shell().type(text, timeout);
    }

    @Override
    public ShellOutcome kill() throws InterruptedException {
        return shell().kill();
    }

    @Override
    public boolean busy() {
        Shell known = ifMade();
        return known != null && known.busy();
    }

    @Override
    public String cwd() {
        return shell().cwd();
    }

    @Override
    public void close() {
        Shell known;
        synchronized (this) {
            closed = true;
            known = made;
        }
        if (known != null) {
            known.close();
        }
    }
}
