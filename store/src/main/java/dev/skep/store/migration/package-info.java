/** Numbered schema changes with checksums, applied under a lock before anything else is read. */
@NullMarked
package dev.skep.store.migration;

import org.jspecify.annotations.NullMarked;
