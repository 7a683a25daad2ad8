/**
 * The runner: agents that work on one machine, alone or in a fleet.
 *
 * <p>It reads the agents' files, gives each its row, and runs those that are to run, each on a
 * thread of its own. It goes on where it was stopped, however it was stopped: what matters is in
 * the database before it is done. Mail wakes agents by event, never by polling.
 */
@NullMarked
package dev.skep.runner;

import org.jspecify.annotations.NullMarked;
