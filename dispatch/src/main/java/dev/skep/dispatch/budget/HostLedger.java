package dev.skep.dispatch.budget;

import org.jspecify.annotations.Nullable;

/**
 * What a hub knows of a host's ledger of leases.
 *
 * @param ledger its id: another one where the host has lost it
 * @param sequence of the last exchange
 * @param told the closing of this hub that the host has answered with all it knows
 * @param unsure when the host came with another ledger than this hub knew while the hub was closed,
 *     by the lending clock: it cannot tell what it spent by the old one. It outlasts the closing,
 *     since the hub may be put back once more
 */
public record HostLedger(
        String host, String ledger, long sequence, @Nullable String told, @Nullable Long unsure) {

    static HostLedger first(String host, String ledger, @Nullable String closing, long now) {
        return new HostLedger(host, ledger, 0, null, closing == null ? null : Long.valueOf(now));
    }

    /**
     * After an exchange.
     *
     * @param closing null where the hub is open
     * @param answers whether the host has told all it knows
     * @param doubt for how long what an old ledger was lent may count
     */
    HostLedger after(
            String from, long at, @Nullable String closing, boolean answers, long now, long doubt) {
        if (!from.equals(ledger)) {
            return new HostLedger(
                    host, from, at, null, closing == null ? unsure : Long.valueOf(now));
        }
        boolean sure = unsure == null || now - unsure >= doubt;
        return new HostLedger(
                host,
                ledger,
                Math.max(sequence, at),
                answers && sure ? closing : told,
                sure ? null : unsure);
    }
}
