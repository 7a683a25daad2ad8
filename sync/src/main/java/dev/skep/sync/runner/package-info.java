/**
 * A runner's end of a link.
 *
 * <p>{@code CONNECTING → CATCHING_UP → LIVE}; {@code REFUSED} if the hub refuses it. While it
 * catches up, it asks for page after page of other hosts' rows. Once live it only answers: it first
 * checks that its own timeline made the position that the hub knows (otherwise it is healed), then
 * stores what the hub sends, then sends the page that was asked for.
 */
@NullMarked
package dev.skep.sync.runner;

import org.jspecify.annotations.NullMarked;
