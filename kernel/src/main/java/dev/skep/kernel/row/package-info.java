/**
 * The shape of a synced row, shared by the wire (which names its fields) and the store (which keeps
 * it).
 */
@NullMarked
package dev.skep.kernel.row;

import org.jspecify.annotations.NullMarked;
