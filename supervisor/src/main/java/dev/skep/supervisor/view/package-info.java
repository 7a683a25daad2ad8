/**
 * Rows as pages show them, combined from the stores and sources. A row is never older than it
 * claims: an agent is active only if its row says so and its host is connected.
 */
@NullMarked
package dev.skep.supervisor.view;

import org.jspecify.annotations.NullMarked;
