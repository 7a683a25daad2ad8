package dev.skep.dispatch.alert;

import dev.skep.store.Transaction;

/** Hears of alerts in the transaction that raises them. */
public interface AlertListener {
    /**
     * An alert was stored.
     *
     * @param open whether it stays open until it is resolved
     */
    void raised(Transaction transaction, Alert alert, boolean open);
}
