/** The queue that needs nothing but the database: claims by index, limits by a row per host. */
@NullMarked
package dev.skep.dispatch.queue.sql;

import org.jspecify.annotations.NullMarked;
