/**
 * Nodes and the rules of their life cycle, without I/O.
 *
 * <p>A node is <i>unknown</i> until it registers, then <i>active</i>. It becomes <i>offline</i>
 * when the connection that registered it last ends, when it is silent for three times its time to
 * live, or when the registry restarts. It is active again when it registers, or when a silent node
 * sends something. It is <i>removed</i> when it deregisters, when another node takes its machine
 * and port, or when it has been offline for longer than nodes are kept.
 */
@NullMarked
package dev.skep.registry.node;

import org.jspecify.annotations.NullMarked;
