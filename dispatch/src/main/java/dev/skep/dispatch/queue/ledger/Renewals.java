package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.batch.GroupedCalls;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.Holding;
import dev.skep.dispatch.queue.Renewal;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Renews the leases of what hosts hold; beats that wait together share a commit. Thread-safe. */
public final class Renewals implements Component {
    private static final int GROUP = 256;

    private final QueueParts parts;
    private final RunStore runs;
    private final GroupedCalls<HostHoldings, List<Renewal>> calls;

    public Renewals(QueueParts parts, Ledger ledger) {
        this.parts = parts;
        this.runs = ledger.runs();
        this.calls = new GroupedCalls<>("job-renewals", GROUP, this::renewAll);
    }

    @Override
    public void start() {
        // While no hub ran, no host could renew or report: each gets the time to do so now.
        Instant until = parts.steady().instant().plus(parts.settings().lease());
        parts.database().write(transaction -> runs.giveTimeUntil(transaction, until));
        calls.start();
    }

    /** One answer per holding, in their order. */
    public List<Renewal> renew(Principal.Host host, List<Holding> held) {
        return held.isEmpty() ? List.of() : calls.call(new HostHoldings(host, held));
    }

    private List<List<Renewal>> renewAll(List<HostHoldings> all) {
        Instant leaseUntil = parts.steady().instant().plus(parts.settings().lease());
        return parts.database()
                .write(
                        transaction ->
                                all.stream()
                                        .map(one -> renew(transaction, one, leaseUntil))
                                        .toList());
    }

    private List<Renewal> renew(
            Transaction transaction, HostHoldings holdings, Instant leaseUntil) {
        Map<RunId, Renewal> renewed = runs.renew(transaction, holdings, leaseUntil);
        return holdings.held().stream()
                .map(held -> renewed.getOrDefault(held.run(), Renewal.GONE))
                .toList();
    }

    @Override
    public void close() {
        calls.close();
    }
}
