/**
 * The way through to a node. A session opens when the node's side is reached, relays whole messages
 * both ways in order, each side at the pace of the other, and ends on both sides with the code of
 * the side that ended first.
 */
@NullMarked
package dev.skep.registry.proxy;

import org.jspecify.annotations.NullMarked;
