package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.queue.ledger.JobLedger;
import dev.skep.dispatch.queue.ledger.QueueDependencies;
import dev.skep.dispatch.queue.ledger.WaitingRuns;
import dev.skep.kernel.id.HostId;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Clears up in Redis what a hub that died between the two left there. */
final class OrphanedRunCleaner {
    private static final int PAGE = 500;

    private final QueueDependencies queueDependencies;
    private final JobLedger ledger;
    private final RedisQueues queues;
    private final RedisPublisher redisPublisher;
    private Instant nextLook = Instant.MIN;

    OrphanedRunCleaner(
            QueueDependencies queueDependencies,
            JobLedger ledger,
            RedisQueues queues,
            RedisPublisher redisPublisher) {
        this.queueDependencies = queueDependencies;
        this.ledger = ledger;
        this.queues = queues;
        this.redisPublisher = redisPublisher;
    }

    synchronized void clear() {
        Instant now = queueDependencies.steady().instant();
        queues.unrecorded(now).forEach(this::putBack);
        if (!now.isBefore(nextLook)) {
            nextLook = now.plus(queueDependencies.settings().lease());
            List<HostId> hosts = queueDependencies.database().read(WaitingRuns::hosts);
            for (int from = 0; from < hosts.size(); from += PAGE) {
                freeSlots(hosts.subList(from, Math.min(hosts.size(), from + PAGE)));
            }
        }
    }

    /** Runs that were taken but are still pending in the ledger: no host received them. */
    private void putBack(String group, List<RunId> taken) {
        Map<RunId, Run> known =
                queueDependencies.database().read(s -> ledger.lookup().find(s, taken));
        List<Run> idle =
                known.values().stream().filter(r -> r.status() != RunStatus.RUNNING).toList();
        // Only one hub does it: what it frees may be taken again at once.
        if (queues.release(group, RunSlot.of(idle))) {
            redisPublisher.putDue(
                    idle.stream()
                            .filter(run -> run.status() == RunStatus.PENDING)
                            .map(Run::id)
                            .toList());
        }
    }

    /** Slots of runs that are over. What is pending may be about to run. */
    private void freeSlots(List<HostId> hosts) {
        List<RunSlot> slots = queues.slots(hosts);
        Set<RunId> live = new HashSet<>();
        for (int from = 0; from < slots.size(); from += PAGE) {
            List<RunId> page =
                    slots.subList(from, Math.min(slots.size(), from + PAGE)).stream()
                            .map(RunSlot::run)
                            .toList();
            queueDependencies.database().read(s -> ledger.lookup().find(s, page)).values().stream()
                    .filter(run -> !run.status().isOver())
                    .forEach(run -> live.add(run.id()));
        }
        redisPublisher.release(slots.stream().filter(slot -> !live.contains(slot.run())).toList());
    }
}
