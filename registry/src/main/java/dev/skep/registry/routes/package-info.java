/**
 * The endpoints of the registry: who may connect, what clients may ask, and what they receive. A
 * connection is a <i>dashboard</i> until it registers a node; from then on it is that node's
 * <i>agent</i>.
 */
@NullMarked
package dev.skep.registry.routes;

import org.jspecify.annotations.NullMarked;
