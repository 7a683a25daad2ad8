/**
 * When hosts were connected to this hub. A connection record opens with a link, closes with it, and
 * says why it ended. A hub process that is killed leaves its records open; the next link of the
 * host, or the next start on a SQLite file, closes them.
 */
@NullMarked
package dev.skep.directory.history;

import org.jspecify.annotations.NullMarked;
