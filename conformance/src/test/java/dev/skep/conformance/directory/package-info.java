/** What the directory promises, on both databases. */
@NullMarked
package dev.skep.conformance.directory;

import org.jspecify.annotations.NullMarked;
