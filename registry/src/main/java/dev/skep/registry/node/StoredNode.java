package dev.skep.registry.node;

/**
 * A node from its row.
 *
 * @param since the reading of the retention clock when the row was stored
 */
public record StoredNode(Node node, long since) {}
