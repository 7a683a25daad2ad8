/**
 * One queue per org, and the promises that every engine keeps.
 *
 * <p>A host receives only runs of its own org with its own id; never more at once than its limit,
 * nor more starts in a minute; highest priority first, then the oldest job. Whatever a caller was
 * answered is durable. Each attempt is handed out at most once; if its lease is not renewed, it is
 * lost and a new attempt follows. The cost of a claim does not depend on how much waits.
 */
@NullMarked
package dev.skep.dispatch.queue;

import org.jspecify.annotations.NullMarked;
