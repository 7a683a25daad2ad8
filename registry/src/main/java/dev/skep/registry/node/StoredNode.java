package dev.skep.registry.node;

/**
 * A node as its row says.
 *
 * @param since what the retention clock said when the row was stored
 */
public record StoredNode(Node node, long since) {}
