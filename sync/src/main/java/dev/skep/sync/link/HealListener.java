package dev.skep.sync.link;

/**
 * Called on the links' threads when it becomes known whether this host's database has everything
 * that a hub has of the host.
 */
public interface HealListener {
    HealListener NOBODY = new HealListener() {};

    /** A link to the hub is open: other hosts' rows come before it is known. */
    default void opened(String hub) {}

    /** The database is older than what the hub knows: the hub is asked to give the rest back. */
    default void behind(String hub) {}

    /** The hub has given back all that it had. Once for each link. */
    default void agreed(String hub) {}

    /** There is no link to the hub any more. */
    default void closed(String hub) {}
}
