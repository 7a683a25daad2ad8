/** A runner's links to its hubs: sync on each of them, and how each stands. */
@NullMarked
package dev.skep.runner.link;

import org.jspecify.annotations.NullMarked;
