/**
 * One queue per org, whatever keeps it: the promises every engine keeps.
 *
 * <p>A host is handed only runs of its own org with its own id; never more at once than its limit,
 * nor more starts in a minute; highest priority first, then the oldest job. What was told to a
 * caller is durable. Each attempt is handed out at most once; a lease that is not renewed makes it
 * lost, and a new attempt follows. What a claim costs does not depend on how much waits.
 */
@NullMarked
package dev.skep.dispatch.queue;

import org.jspecify.annotations.NullMarked;
