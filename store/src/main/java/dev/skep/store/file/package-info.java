/** Files of ours outside the databases, written so that a power cut does not lose them. */
@NullMarked
package dev.skep.store.file;

import org.jspecify.annotations.NullMarked;
