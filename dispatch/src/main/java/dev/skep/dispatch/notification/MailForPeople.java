package dev.skep.dispatch.notification;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import java.time.Instant;
import java.util.List;

/** Mail to the mailboxes of people, in the order in which it was stored here. */
public interface MailForPeople {
    /**
     * A message that arrived.
     *
     * @param position of its row in the change feed
     * @param username of the person
     */
    record Arrived(
            long position,
            String username,
            String message,
            String from,
            String subject,
            Instant at) {}

    /** What stands after a position, the first of it. */
    List<Arrived> after(Snapshot snapshot, OrgId org, long position, int limit);

    /** The position of the newest that is there; 0 if nothing is. */
    long newest(Snapshot snapshot, OrgId org);
}
