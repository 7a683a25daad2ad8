/**
 * A hub behind its listener: links come in, sync (and later registry and dispatch) travels on them.
 *
 * <p>One virtual thread reads the feed and wakes the links it concerns, one ticks; a link has a
 * thread only while there is something to do for it. Several hub processes may share one
 * PostgreSQL: each serves the sockets it holds and hears from the database what the others stored.
 */
@NullMarked
package dev.skep.hub;

import org.jspecify.annotations.NullMarked;
