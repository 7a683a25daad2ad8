/** Typed ids over monotonic ULIDs: unique without coordination, and sortable by birth. */
@NullMarked
package dev.skep.kernel.id;

import org.jspecify.annotations.NullMarked;
