/**
 * What two machines say to each other over a link, and how it looks in bytes.
 *
 * <p>A message is JSON; above a few KB it is compressed as a whole. Rows are read straight into the
 * columns their table's description names. Whatever a peer sends, reading it ends in a message or
 * in {@link dev.skep.wire.DecodedMessage.Garbage}, within fixed bounds of memory; a single row that
 * is wrong is set aside and the rest of the page is good.
 */
@NullMarked
package dev.skep.wire;

import org.jspecify.annotations.NullMarked;
