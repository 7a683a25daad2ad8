/**
 * Real coding agents in the whole product, with a model that is not there: {@code ./skep
 * check-runtimes --fake} and the tests of such agents.
 *
 * <p>A host starts from an empty data dir. Its models are of a fake provider on loopback, which
 * does what the prompt says ({@code CodingModel}). The walk goes through the states of a managed
 * agent in order: started, prompted, asked and denied, asked and approved, cancelled, killed and
 * resumed, refused for money. Each step is looked for in what the product stored, not in what it
 * printed.
 */
@NullMarked
package dev.skep.fleet.agent;

import org.jspecify.annotations.NullMarked;
