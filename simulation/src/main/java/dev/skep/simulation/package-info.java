/**
 * A fleet with faults in virtual time around the production sync code: one thread, one seed.
 * Networks drop and delay, machines crash around every commit, backups are restored, hubs wiped,
 * clocks jump; afterwards every row must be everywhere it belongs. Taking any one rule out must
 * break it.
 */
@NullMarked
package dev.skep.simulation;

import org.jspecify.annotations.NullMarked;
