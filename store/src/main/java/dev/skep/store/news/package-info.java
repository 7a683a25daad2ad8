/**
 * Reports which tables of a database changed, after the commit: to this process at once, and to
 * other processes on the same PostgreSQL within a tenth of a second. A notification may be lost
 * with a connection; listeners are then notified that anything may have changed.
 */
@NullMarked
package dev.skep.store.news;

import org.jspecify.annotations.NullMarked;
