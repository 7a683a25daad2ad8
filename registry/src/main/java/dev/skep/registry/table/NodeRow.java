package dev.skep.registry.table;

import dev.skep.registry.node.Node;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of a node.
 *
 * @param removedAt set when it left the roster; the row stays for its history
 */
record NodeRow(Node node, @Nullable Instant removedAt) {}
