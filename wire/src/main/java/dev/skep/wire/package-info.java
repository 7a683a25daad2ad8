/**
 * The messages that two machines exchange over a link, and their encoding.
 *
 * <p>A message is JSON; above a few KB it is compressed as a whole. Rows are decoded straight into
 * the columns that their table's description names. Whatever a peer sends, decoding ends in a
 * message or in {@link dev.skep.wire.DecodedMessage.Garbage}, within fixed bounds of memory; a
 * single bad row is set apart and the rest of the page is usable.
 */
@NullMarked
package dev.skep.wire;

import org.jspecify.annotations.NullMarked;
