/**
 * A persistent bash per agent behind one port, {@link dev.skep.shell.Shell}.
 *
 * <p>A shell is idle or busy with one command. {@code run} makes it busy; it is idle again when an
 * outcome is {@code Finished} or {@code Ended}. While it is busy the agent may wait, type or kill.
 * An ended shell (the command said {@code exit}, or was killed) starts afresh in the last working
 * folder with the next {@code run}. Closing ends everything the shell ever spawned.
 */
@NullMarked
package dev.skep.shell;

import org.jspecify.annotations.NullMarked;
