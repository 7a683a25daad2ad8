package dev.skep.dispatch.event;

import dev.skep.kernel.id.OrgId;
import java.util.Optional;

/**
 * The latest events of each org, up to a bound. A client that reconnects with the last id it
 * received gets the events that followed, or one {@code reset} event if that id is no longer known:
 * then it must read everything again. Thread-safe.
 */
public interface OrgEvents extends AutoCloseable {
    /** How many are kept of each org, a few more at times. */
    int KEPT = 1_000;

    /** Everything after an id, and then whatever comes, until the subscription is closed. */
    Subscription subscribe(OrgId org, Optional<String> after);

    /** Ends all subscriptions; listeners reconnect, to this hub or its successor. */
    @Override
    void close();
}
