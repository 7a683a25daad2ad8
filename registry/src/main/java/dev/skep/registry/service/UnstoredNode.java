package dev.skep.registry.service;

import dev.skep.registry.node.Node;

/**
 * A node that changed while nothing could be stored.
 *
 * @param removed whether it is gone, though a row of it may remain
 */
public record UnstoredNode(Node node, boolean removed) {}
