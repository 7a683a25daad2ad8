package dev.skep.runner.workspace;

import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.runner.agent.DiskSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * What an agent's own folder may hold. It is measured on a thread of its own while this is started,
 * and when somebody looks; asking costs nothing. Thread-safe.
 */
public final class WorkspaceQuota implements Component {
    private static final Duration PAUSE = Duration.ofSeconds(60);
    private static final double NEAR = 0.8;

    private final Path folder;
    private final DiskSize limit;
    private final Function<Path, FolderSize> measure;
    private final ReentrantLock measuring = new ReentrantLock();
    private final PeriodicTask task;
    private volatile FolderSize measured = new FolderSize(0, true);

    /** Measures nothing yet. */
    public WorkspaceQuota(Path folder, DiskSize limit) {
        this(folder, limit, FolderSize::of);
    }

    WorkspaceQuota(Path folder, DiskSize limit, Function<Path, FolderSize> measure) {
        this.folder = folder;
        this.limit = limit;
        this.measure = measure;
        this.task = new PeriodicTask("disk-limit", Duration.ZERO, PAUSE, this::measure);
    }

    @Override
    public void start() {
        task.start();
    }

    @Override
    public void close() {
        task.close();
    }

    /** Measures anew and waits for it, but not for long: a huge folder is measured on. */
    public void look(Duration patience) throws InterruptedException {
        Thread.ofVirtual().name("disk-limit-look").start(this::measure).join(patience);
    }

    private void measure() {
        // Whoever comes while somebody measures waits for that, and need not measure again.
        boolean mine = measuring.tryLock();
        if (!mine) {
            measuring.lock();
        }
        try {
            if (mine) {
                measured = measure.apply(folder);
            }
        } finally {
            measuring.unlock();
        }
    }

    /** What to tell an agent that comes near its limit, or is beyond it. */
    public Optional<String> warning() {
        long bytes = measured.bytes();
        return bytes < limit.bytes() * NEAR
                ? Optional.empty()
                : Optional.of(
                        "Your folder holds %s of the %s that it may; delete what you no longer need. At the limit you are held."
                                .formatted(new DiskSize(bytes), limit));
    }

    /** Why the agent is to be held; empty if it need not be. */
    public Optional<String> over() {
        long bytes = measured.bytes();
        return bytes < limit.bytes()
                ? Optional.empty()
                : Optional.of(
                        "its folder %s holds %s of %s; delete something there or raise disk_limit"
                                .formatted(folder, new DiskSize(bytes), limit));
    }
}
