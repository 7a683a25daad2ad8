package dev.skep.store.feed;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;

/** Whose rows a reader of the feed gets; always of one org. */
public sealed interface FeedScope {
    OrgId org();

    /** What this host sends to a hub: all tables, the rows it owns. */
    record OwnedBy(OrgId org, HostId host) implements FeedScope {}

    /** What a hub sends to a host: forwarded tables, the rows others own. */
    record ForwardedTo(OrgId org, HostId host) implements FeedScope {}

    /** What a hub may send to any host: forwarded tables, all owners. */
    record Shared(OrgId org) implements FeedScope {}
}
