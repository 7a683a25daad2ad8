package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.event.EventPublisher;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.dispatch.queue.JobEndListener;
import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import java.time.InstantSource;

/**
 * What every queue engine needs.
 *
 * @param clock for people: when something began or ended, and when it is due
 * @param steady for leases and deadlines, which no step of the clock may end
 */
public record QueueDependencies(
        Database database,
        InstantSource clock,
        InstantSource steady,
        UlidSource ids,
        RunRules rules,
        QueueSettings settings,
        AuditRecorder audit,
        EventPublisher events,
        JobEndListener endings) {

    public JobLedger ledger(QueueOrderOwner order) {
        return new JobLedger(ids, audit, events, endings, order);
    }
}
