/** How fast processes of the launcher start, and what memory each composition takes. */
@NullMarked
package dev.skep.benchmark.start;

import org.jspecify.annotations.NullMarked;
