package dev.skep.app.adapter;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.job.JobKind;
import dev.skep.registry.module.NodeRemovals;
import dev.skep.registry.service.Registry;
import dev.skep.worker.AssignedRun;
import dev.skep.worker.JobResult;
import dev.skep.worker.JobType;
import dev.skep.worker.RunOutput;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Removes a node of this host on behalf of people at a hub. */
public final class NodeRemovalJob implements JobType {
    private final Supplier<Registry> registry;
    private final Principal host;

    public NodeRemovalJob(Supplier<Registry> registry, Principal host) {
        this.registry = registry;
        this.host = host;
    }

    @Override
    public Set<JobKind> kinds() {
        return Set.of(JobKind.NODE_REMOVE);
    }

    @Override
    public JobResult run(AssignedRun run, RunOutput output) {
        String node = run.payload().text("node");
        Optional<SkepException> refusal =
                NodeRemovals.refusal(registry.get(), node, new Actor(host, "hub " + run.hub()));
        return refusal.map(failure -> JobResult.failed(String.valueOf(failure.getMessage())))
                .orElseGet(() -> JobResult.succeeded(Map.of("message", node + " is forgotten")));
    }
}
