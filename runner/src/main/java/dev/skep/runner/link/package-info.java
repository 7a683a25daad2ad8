/** A runner's links to its hubs: one per hub, and the state of each. */
@NullMarked
package dev.skep.runner.link;

import org.jspecify.annotations.NullMarked;
