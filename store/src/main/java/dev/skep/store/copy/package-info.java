/**
 * Copies a database to another kind of server: every table in key order, in batches that are
 * durable one by one. A copy that was interrupted continues after the rows it finds; afterwards
 * each row is compared with its original.
 */
@NullMarked
package dev.skep.store.copy;

import org.jspecify.annotations.NullMarked;
