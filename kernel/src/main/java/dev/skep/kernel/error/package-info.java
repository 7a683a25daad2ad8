/** The one exception of the product and its stable codes. */
@NullMarked
package dev.skep.kernel.error;

import org.jspecify.annotations.NullMarked;
