package dev.skep.directory.link;

import java.time.Duration;

/**
 * A hub's confirmation that this host proved its identity, for {@code Authorization: Bearer} on the
 * link.
 *
 * @param hubId the hub's host id
 * @param clockOff by how much this host's clock is ahead of the hub's
 */
public record LinkToken(String text, String hubId, Duration life, Duration clockOff) {
    @Override
    public String toString() {
        return "token of hub " + hubId;
    }
}
