/**
 * Sync as modules of a process: a hub's end, the links of a host to its hubs, and the links of a
 * hub to other hubs. How each stands, for people.
 */
@NullMarked
package dev.skep.sync.module;

import org.jspecify.annotations.NullMarked;
