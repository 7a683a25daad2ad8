/**
 * Sync on a link, at both ends. A link's messages are decoded and handed one after the other to the
 * state machine of its end; what that answers is encoded and sent.
 *
 * <p>At a hub, one virtual thread reads the feed and wakes the links it concerns, one ticks; a link
 * has a thread only while there is something to do for it. Several hub processes may share one
 * PostgreSQL: each serves the sockets it holds and is notified by the database of what the others
 * stored.
 */
@NullMarked
package dev.skep.sync.link;

import org.jspecify.annotations.NullMarked;
