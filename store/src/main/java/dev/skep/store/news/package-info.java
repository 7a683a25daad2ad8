/**
 * What changed in a database, for whoever shows it: told after the commit, by this process at once
 * and by others on the same PostgreSQL within a tenth of a second. News may be lost with a
 * connection; then it is told that anything may have changed.
 */
@NullMarked
package dev.skep.store.news;

import org.jspecify.annotations.NullMarked;
