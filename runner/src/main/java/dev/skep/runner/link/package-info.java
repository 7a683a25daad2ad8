/** A runner's links to its hubs: one to each, and how each stands. */
@NullMarked
package dev.skep.runner.link;

import org.jspecify.annotations.NullMarked;
