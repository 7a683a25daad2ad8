package dev.skep.dispatch.event;

import dev.skep.kernel.id.OrgId;
import java.util.Optional;

/**
 * The latest events of each org, so many and no more. Whoever comes back names the last id heard
 * and gets what followed, or one {@code reset} event when that is no longer known: then everything
 * is to be read again. Thread-safe.
 */
public interface OrgEvents extends AutoCloseable {
    /** How many are kept of each org, a few more at times. */
    int KEPT = 1_000;

    /** Everything after an id, and then whatever comes, until the subscription is closed. */
    Subscription subscribe(OrgId org, Optional<String> after);

    /** Ends all subscriptions; those who listen come back, to this hub or its successor. */
    @Override
    void close();
}
