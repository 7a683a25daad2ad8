/**
 * Stopping all agents of a host at once. Each hub that may steer the host has at most one hold, and
 * the host's owner one; agents work while there is none that is in force.
 *
 * <pre>
 *   (none) ── told by its hub ──► in force ── lifted by that hub ──► (none)
 *                                    └── lifted on this host ──► lifted, so that the same one does
 *                                        not come back; another one of the hub replaces it
 * </pre>
 */
@NullMarked
package dev.skep.runner.hold;

import org.jspecify.annotations.NullMarked;
