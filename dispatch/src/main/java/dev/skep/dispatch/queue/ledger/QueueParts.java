package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.event.EventNotes;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.queue.Audit;
import dev.skep.dispatch.queue.JobEndings;
import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import java.time.InstantSource;

/**
 * What every engine stands on.
 *
 * @param clock for people: when something began or ended, and when it is due
 * @param steady for leases and deadlines, which no step of the clock may end
 */
public record QueueParts(
        Database database,
        InstantSource clock,
        InstantSource steady,
        UlidSource ids,
        RunRules rules,
        QueueSettings settings,
        Audit audit,
        EventNotes events,
        JobEndings endings) {

    public Ledger ledger(Order order) {
        return new Ledger(ids, audit, events, endings, order);
    }
}
