/** What many agents in one runner cost, and what a turn costs besides its model and commands. */
@NullMarked
package dev.skep.benchmark.runner;

import org.jspecify.annotations.NullMarked;
