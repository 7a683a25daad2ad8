/**
 * The runner: agents that work on one machine, alone or in a fleet.
 *
 * <p>It reads the agents' files, gives each agent its row, and runs those that should run, each on
 * its own thread. However it was stopped, it continues where it was: whatever matters is in the
 * database before it is done. Events wake agents for mail, never polling.
 */
@NullMarked
package dev.skep.runner;

import org.jspecify.annotations.NullMarked;
