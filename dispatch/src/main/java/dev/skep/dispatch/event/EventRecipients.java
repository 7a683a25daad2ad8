package dev.skep.dispatch.event;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.Transaction;
import java.util.List;
import java.util.function.Supplier;

/** Receives each event of an org once, whichever process it happened in. */
@FunctionalInterface
public interface EventRecipients {
    /** Called in the transaction that gave the events their places. */
    void placed(Transaction transaction, OrgId org, Supplier<List<OrgEvent>> events);
}
