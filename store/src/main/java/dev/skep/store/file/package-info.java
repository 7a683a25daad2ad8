/** Writes files outside the databases so that a power cut does not lose them. */
@NullMarked
package dev.skep.store.file;

import org.jspecify.annotations.NullMarked;
