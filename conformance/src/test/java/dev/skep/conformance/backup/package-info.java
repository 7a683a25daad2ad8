/** Backups of and into both databases. */
@NullMarked
package dev.skep.conformance.backup;

import org.jspecify.annotations.NullMarked;
