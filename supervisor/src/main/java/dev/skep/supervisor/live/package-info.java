/**
 * What pages show, kept current while somebody looks.
 *
 * <p>A topic is a list of keyed rows of one org. While a stream watches it, it is read again when
 * somebody told of a change (every commit of every process is told, see {@code store.news}), and at
 * the moment from which its rows are true no longer, where they say so; nothing is read just in
 * case. What differs from the reading before becomes one delta with the next number of the board.
 * Deltas are kept in a bounded ring: a stream is a place in that ring and holds nothing of its own,
 * so a slow reader costs no memory; one that fell out of the ring, or comes back from another
 * process, is told to load again.
 */
@NullMarked
package dev.skep.supervisor.live;

import org.jspecify.annotations.NullMarked;
