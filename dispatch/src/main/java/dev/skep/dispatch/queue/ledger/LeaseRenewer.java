package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.batch.CallBatcher;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.ActiveRun;
import dev.skep.dispatch.queue.LeaseRenewal;
import dev.skep.dispatch.setting.OrgSettings;
import dev.skep.dispatch.setting.OrgSettingsStore;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Renews the leases of runs that hosts hold; heartbeats that wait together share a commit.
 * Thread-safe.
 */
public final class LeaseRenewer implements Component {
    private static final int GROUP = 256;

    private final QueueDependencies queueDependencies;
    private final RunStore runs;
    private final CallBatcher<HostActiveRuns, List<LeaseRenewal>> batcher;

    public LeaseRenewer(QueueDependencies queueDependencies, JobLedger ledger) {
        this.queueDependencies = queueDependencies;
        this.runs = ledger.runs();
        this.batcher = new CallBatcher<>("job-renewals", GROUP, this::renewAll);
    }

    @Override
    public void start() {
        // While no hub ran, no host could renew or report: each gets the time to do so now.
        Instant until =
                queueDependencies.steady().instant().plus(queueDependencies.settings().lease());
        queueDependencies.database().write(transaction -> runs.giveTimeUntil(transaction, until));
        batcher.start();
    }

    /** One answer per holding, in their order. */
    public List<LeaseRenewal> renew(Principal.Host host, List<ActiveRun> held) {
        return held.isEmpty() ? List.of() : batcher.call(new HostActiveRuns(host, held));
    }

    private List<List<LeaseRenewal>> renewAll(List<HostActiveRuns> all) {
        Instant now = queueDependencies.steady().instant();
        return queueDependencies
                .database()
                .write(
                        transaction -> {
                            Map<OrgId, OrgSettings> settings = OrgSettingsStore.all(transaction);
                            return all.stream()
                                    .map(one -> renew(transaction, one, until(now, one, settings)))
                                    .toList();
                        });
    }

    private Instant until(Instant now, HostActiveRuns one, Map<OrgId, OrgSettings> settings) {
        return now.plus(
                settings.getOrDefault(one.host().org(), OrgSettings.NONE)
                        .jobLease(queueDependencies.settings().lease()));
    }

    private List<LeaseRenewal> renew(
            Transaction transaction, HostActiveRuns hostActiveRuns, Instant leaseUntil) {
        Map<RunId, LeaseRenewal> renewed = runs.renew(transaction, hostActiveRuns, leaseUntil);
        return hostActiveRuns.held().stream()
                .map(held -> renewed.getOrDefault(held.run(), LeaseRenewal.GONE))
                .toList();
    }

    @Override
    public void close() {
        batcher.close();
    }
}
