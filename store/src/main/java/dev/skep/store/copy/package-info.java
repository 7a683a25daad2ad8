/**
 * Moves a database to another kind of server: every table, in the order of its key, in pieces that
 * are durable one by one. A copy that was interrupted goes on behind what it finds; afterwards each
 * row is compared with its original.
 */
@NullMarked
package dev.skep.store.copy;

import org.jspecify.annotations.NullMarked;
