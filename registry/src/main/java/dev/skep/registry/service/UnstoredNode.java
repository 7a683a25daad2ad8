package dev.skep.registry.service;

import dev.skep.registry.node.Node;

/**
 * A node as it became while nothing could be stored.
 *
 * @param removed whether it is gone, though a row may still tell of it
 */
public record UnstoredNode(Node node, boolean removed) {}
