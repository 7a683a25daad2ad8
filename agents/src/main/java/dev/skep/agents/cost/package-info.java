/** What model calls cost, in micro-dollars, by agent, session, model and source. */
@NullMarked
package dev.skep.agents.cost;

import org.jspecify.annotations.NullMarked;
