package dev.skep.app.adapter;

import dev.skep.dispatch.host.HostConsents;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.job.JobKind;
import dev.skep.registry.routes.NodeRemoval;
import dev.skep.transport.route.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Removes a node of another host by a job: only that host writes its rows. */
public final class NodeRemovalByJob implements NodeRemoval {
    /** Before other work of the host: a person waits for it. */
    private static final int PRIORITY = 100;

    private final JobQueue queue;
    private final HostConsents consents;

    public NodeRemovalByJob(JobQueue queue, HostConsents consents) {
        this.queue = queue;
        this.consents = consents;
    }

    @Override
    public Optional<String> remove(Actor by, HostId host, String node) {
        String type = JobKind.NODE_REMOVE.type();
        consents.requireForJob(by.org(), host, type);
        NewJob job =
                NewJob.plain(host, type, Json.text(Map.of("node", node))).withPriority(PRIORITY);
        return Optional.of(queue.create(by, List.of(job)).getFirst().job().value());
    }
}
