package dev.skep.supervisor.view;

import dev.skep.kernel.id.Keyed;

/**
 * Says that money was spent since somebody last asked how much; a row of its own topic.
 *
 * @param news grows when costs were stored
 */
public record Spending(String id, long news) implements Keyed {}
