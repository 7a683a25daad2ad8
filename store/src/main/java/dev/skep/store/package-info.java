/**
 * One database under everything: SQLite by default, PostgreSQL at scale, with the same statements.
 *
 * <p>A write is a function from a {@link dev.skep.store.Transaction} to a value. On SQLite one
 * thread runs all writes and commits those that wait together, once; on PostgreSQL each write is a
 * transaction of its own. Either way a write that returned is durable, and one that threw changed
 * nothing. Reads see one consistent snapshot and never wait for a writer.
 */
@NullMarked
package dev.skep.store;

import org.jspecify.annotations.NullMarked;
