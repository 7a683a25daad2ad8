package dev.skep.dispatch.alert;

import dev.skep.kernel.id.OrgId;
import java.time.Instant;
import java.util.List;

/**
 * What one message tells a person: what happened within a minute, together.
 *
 * @param more how many further reasons are not among the items
 */
public record Digest(String id, OrgId org, String title, List<Item> items, long more, Instant at) {

    /**
     * One reason.
     *
     * @param kind of which kind of notification, for programs
     * @param heading the same for people
     * @param subject what it is about, as {@code approval:} and an id
     * @param text one line that comes from elsewhere, without secrets
     * @param link opens exactly that; empty while this process is not reached by any address
     */
    public record Item(
            String kind, String heading, String subject, String text, String link, Instant at) {}

    public Digest {
        items = List.copyOf(items);
    }
}
