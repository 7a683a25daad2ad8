package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.queue.Audit;
import dev.skep.dispatch.queue.JobEndings;
import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import java.time.InstantSource;

/** What every engine stands on. */
public record QueueParts(
        Database database,
        InstantSource clock,
        UlidSource ids,
        RunRules rules,
        QueueSettings settings,
        Audit audit,
        Events events,
        JobEndings endings) {

    public Ledger ledger(Order order) {
        return new Ledger(ids, audit, events, endings, order);
    }
}
