/**
 * What an agent did: runs, their sessions, and the log of each.
 *
 * <p>A run begins when an agent starts without a session to resume, and has one session or more. A
 * session ends when its context is compacted (the next one begins with the summary) or with the
 * run. A restarted runner resumes a session that has no end reason.
 */
@NullMarked
package dev.skep.agents.session;

import org.jspecify.annotations.NullMarked;
