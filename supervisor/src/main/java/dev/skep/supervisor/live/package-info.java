/**
 * Keeps what pages show current while they are open.
 *
 * <p>A topic is a list of keyed rows of one org. While a stream watches it, it is read again after
 * a change (every commit of every process is reported, see {@code store.news}), and at the time
 * when its rows expire, if they say so; nothing is polled. The difference to the previous reading
 * becomes one delta with the next number of the board. Deltas are kept in a bounded ring. A stream
 * is a position in that ring and holds nothing of its own, so a slow reader costs no memory; one
 * that fell out of the ring, or comes from another process, is asked to load again.
 */
@NullMarked
package dev.skep.supervisor.live;

import org.jspecify.annotations.NullMarked;
