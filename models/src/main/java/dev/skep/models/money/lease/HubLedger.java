package dev.skep.models.money.lease;

import org.jspecify.annotations.Nullable;

/**
 * What this host and one hub have told each other.
 *
 * @param sequence of the last exchange that was sent
 * @param acknowledged of the last one that was answered
 * @param closing the hub grants nothing until its hosts have told all; the id that they repeat
 * @param heard whether the hub has answered since this host's database was last put back
 */
public record HubLedger(
        String hub, long sequence, long acknowledged, @Nullable String closing, boolean heard) {

    static HubLedger fresh(String hub, boolean heard) {
        return new HubLedger(hub, 0, 0, null, heard);
    }

    HubLedger next() {
        return new HubLedger(hub, sequence + 1, acknowledged, closing, heard);
    }

    HubLedger answered(long answer, @Nullable String nowClosing) {
        return new HubLedger(
                hub,
                sequence,
                Math.max(acknowledged, Math.min(answer, sequence)),
                nowClosing,
                true);
    }
}
