package dev.skep.store.feed;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;

/** Whose rows a reader of the feed gets; always of one org. */
public sealed interface FeedScope {
    OrgId org();

    /** What this host has to tell a hub: all tables, the rows it owns. */
    record OwnedBy(OrgId org, HostId host) implements FeedScope {}

    /** What a hub has to tell a host: forwarded tables, the rows others own. */
    record ForwardedTo(OrgId org, HostId host) implements FeedScope {}

    /** What a hub has to tell anyone: forwarded tables, whoever owns the rows. */
    record Shared(OrgId org) implements FeedScope {}
}
