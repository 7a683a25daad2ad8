/**
 * The proxy to a node. A session opens when the node is reached, relays whole messages in both
 * directions in order, each side at the pace of the other, and ends on both sides with the close
 * code of the side that ended first.
 */
@NullMarked
package dev.skep.registry.proxy;

import org.jspecify.annotations.NullMarked;
