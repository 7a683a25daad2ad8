/**
 * A runner's end of a link.
 *
 * <p>{@code CONNECTING → CATCHING_UP → LIVE}; {@code REFUSED} when the hub will not have it. While
 * catching up it asks for page after page of other hosts' rows. Once live it only answers: first it
 * checks that its own timeline made the position the hub knows of it (or it is healed), then it
 * stores what the hub brings, then it sends the page that was asked for.
 */
@NullMarked
package dev.skep.sync.runner;

import org.jspecify.annotations.NullMarked;
