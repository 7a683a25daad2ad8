/**
 * A hub's end of its links.
 *
 * <p>A link is {@code NEW → CATCHING_UP → LIVE}, and {@code LIVE → HEALING → LIVE} for a host that
 * was restored from an old backup. Links share only the {@link dev.skep.sync.hub.PullScheduler},
 * which decides whose turn it is, and the {@link dev.skep.sync.hub.RecentChanges}, which hold
 * recent rows; a link that is slow, misbehaves or breaks delays no other.
 */
@NullMarked
package dev.skep.sync.hub;

import org.jspecify.annotations.NullMarked;
