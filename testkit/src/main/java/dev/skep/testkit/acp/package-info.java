/**
 * An agent of the Agent Client Protocol for tests: a program of the plain JDK that does what the
 * prompt tells it to, also what no agent should do. {@link dev.skep.testkit.acp.FixtureAgent}
 * describes its language.
 */
@NullMarked
package dev.skep.testkit.acp;

import org.jspecify.annotations.NullMarked;
