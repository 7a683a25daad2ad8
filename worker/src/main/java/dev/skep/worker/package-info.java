/**
 * The runner's job worker: takes runs from a hub, does them, and reports how they ended.
 *
 * <p>A run is held from the moment it was handed out until its report was taken. Heartbeats renew
 * the held runs and return which ones to stop. A run whose lease was lost is stopped and not
 * reported. How many run at once on this machine is counted here, whatever number of hubs hands
 * them out.
 */
@NullMarked
package dev.skep.worker;

import org.jspecify.annotations.NullMarked;
