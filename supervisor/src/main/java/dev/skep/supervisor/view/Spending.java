package dev.skep.supervisor.view;

import dev.skep.kernel.id.Keyed;

/**
 * Signals that costs were stored since the last query; a row of its own topic.
 *
 * @param news grows when costs were stored
 */
public record Spending(String id, long news) implements Keyed {}
