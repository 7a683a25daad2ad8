package dev.skep.dispatch.queue;

import dev.skep.kernel.identity.Actor;
import dev.skep.store.Transaction;
import java.util.Map;

/** Records who did what, in the transaction that does it. */
@FunctionalInterface
public interface AuditRecorder {
    void record(
            Transaction transaction,
            Actor actor,
            String action,
            String target,
            Map<String, String> detail);
}
