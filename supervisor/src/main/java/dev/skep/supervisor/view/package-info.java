/**
 * Rows as pages show them, put together from the stores and sources. What is shown is never older
 * than it claims: an agent is active only if its row says so and its host is there.
 */
@NullMarked
package dev.skep.supervisor.view;

import org.jspecify.annotations.NullMarked;
