/**
 * What an agent did: runs, their sessions, and the log of each.
 *
 * <p>A run begins when an agent starts with nothing to go on from and has one session or more; a
 * session ends when its context is compacted (the next one begins with the summary) or with the
 * run. A session without an end reason is where a restarted runner goes on.
 */
@NullMarked
package dev.skep.agents.session;

import org.jspecify.annotations.NullMarked;
