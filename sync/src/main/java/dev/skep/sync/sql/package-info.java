/** The tables and statements of sync; the same on SQLite and PostgreSQL. */
@NullMarked
package dev.skep.sync.sql;

import org.jspecify.annotations.NullMarked;
