package dev.skep.runner.loop;

import dev.skep.runner.workspace.WorkspaceQuota;
import java.time.Duration;
import java.util.Optional;

/** Holds an agent to what its own folder may have; one without a limit is never held. */
public final class DiskLimit implements AutoCloseable {
    /** A turn does not wait longer for a folder to be measured. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Optional<WorkspaceQuota> quota;
    private boolean warned;

    public DiskLimit(Optional<WorkspaceQuota> quota) {
        this.quota = quota;
    }

    public void start() {
        quota.ifPresent(WorkspaceQuota::start);
    }

    /** Why no turn may begin; empty if one may. */
    public Optional<String> over() throws InterruptedException {
        if (quota.isPresent()) {
            quota.get().look(PATIENCE);
        }
        return quota.flatMap(WorkspaceQuota::over);
    }

    /** What the agent is to hear of it, once each time that it comes near. */
    public Optional<String> warning() {
        Optional<String> now = quota.flatMap(WorkspaceQuota::warning);
        boolean before = warned;
        warned = now.isPresent();
        return before ? Optional.empty() : now;
    }

    @Override
    public void close() {
        quota.ifPresent(WorkspaceQuota::close);
    }
}
