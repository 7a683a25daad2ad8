/**
 * What pages show, kept current while somebody looks.
 *
 * <p>A topic is a list of keyed rows of one org. While a stream watches it, it is read again after
 * a change was told, and once a second in any case (events may be lost, and a database can have
 * other writers); what differs from the reading before becomes one delta with the next number of
 * the board. Deltas are kept in a bounded ring: a stream is a place in that ring and holds nothing
 * of its own, so a slow reader costs no memory; one that fell out of the ring, or comes back from
 * another process, is told to load again.
 */
@NullMarked
package dev.skep.supervisor.live;

import org.jspecify.annotations.NullMarked;
