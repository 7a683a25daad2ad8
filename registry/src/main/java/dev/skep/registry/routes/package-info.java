/**
 * Where clients come in: who may, what they ask, and what they are told. A connection is a
 * <i>dashboard</i> until it registers a node; from then on it is that node's <i>agent</i>.
 */
@NullMarked
package dev.skep.registry.routes;

import org.jspecify.annotations.NullMarked;
