/**
 * This process as a host: its id, its key pair, its machine, and its row in {@code hosts}.
 *
 * <p>The database records which host it belongs to; the key file beside it proves it. A new
 * database next to a key file takes over the file's host id, so a lost database does not create a
 * new host. A database without its key file gets a new key on SQLite (hubs then ask for a new
 * pairing) and is refused on PostgreSQL, where another process has the key.
 */
@NullMarked
package dev.skep.directory.host;

import org.jspecify.annotations.NullMarked;
