/** Who is asking: every store method takes a Principal instead of a raw org id. */
@NullMarked
package dev.skep.kernel.identity;

import org.jspecify.annotations.NullMarked;
