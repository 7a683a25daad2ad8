package dev.skep.dispatch.budget;

import org.jspecify.annotations.Nullable;

/**
 * What a hub knows of a host's ledger of leases.
 *
 * @param ledger its id: another one where the host has lost it
 * @param sequence of the last exchange
 * @param told the closing of this hub that the host has answered with all it knows
 * @param unsure the closing in which the host came with another ledger than this hub knew: it
 *     cannot tell what it spent by the old one
 */
public record HostLedger(
        String host, String ledger, long sequence, @Nullable String told, @Nullable String unsure) {

    static HostLedger first(String host, String ledger, @Nullable String closing) {
        return new HostLedger(host, ledger, 0, null, closing);
    }

    /** After an exchange with a hub that is closed, or open where {@code closing} is null. */
    HostLedger after(String from, long at, @Nullable String closing, boolean answers) {
        if (!from.equals(ledger)) {
            return new HostLedger(host, from, at, null, closing);
        }
        boolean sure = closing != null && !closing.equals(unsure);
        return new HostLedger(
                host, ledger, Math.max(sequence, at), answers && sure ? closing : told, unsure);
    }
}
