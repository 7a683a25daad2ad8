package dev.skep.runner.workspace;

import java.time.Duration;
import java.util.Optional;

/** What one agent's loop must know of the folder it works in. Used by that loop. */
public final class WorkFolder {
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final Workspaces workspaces;
    private final WorkspacePlace place;
    private final Optional<WorkspaceQuota> quota;
    private boolean warned;

    /**
     * Looks at nothing yet.
     *
     * @param quota empty for an agent without a limit; not started yet
     */
    public WorkFolder(Workspaces workspaces, WorkspacePlace place, Optional<WorkspaceQuota> quota) {
        this.workspaces = workspaces;
        this.place = place;
        this.quota = quota;
    }

    /** Measures it from now on, at intervals. */
    public void start() {
        quota.ifPresent(WorkspaceQuota::start);
    }

    public void close() {
        quota.ifPresent(WorkspaceQuota::close);
    }

    /** Makes its workspace if it is to have one; says why it cannot be made. */
    public Optional<String> refusal() throws InterruptedException {
        return place.wanted() != null
                        && workspaces.prepare(place) instanceof Workspaces.Prepared.Refused(var why)
                ? Optional.of(why)
                : Optional.empty();
    }

    /** Why no turn may begin now, by a measurement that is as new as little waiting makes it. */
    public Optional<String> over() throws InterruptedException {
        if (quota.isPresent()) {
            quota.get().look(PATIENCE);
        }
        return quota.flatMap(WorkspaceQuota::over);
    }

    /** What to tell the agent with its next prompt, once each time that it comes near its limit. */
    public Optional<String> warning() {
        Optional<String> now = quota.flatMap(WorkspaceQuota::warning);
        boolean before = warned;
        warned = now.isPresent();
        return before ? Optional.empty() : now;
    }
}
