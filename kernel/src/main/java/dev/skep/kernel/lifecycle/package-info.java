/** Starting in order, closing in reverse, within a deadline. */
@NullMarked
package dev.skep.kernel.lifecycle;

import org.jspecify.annotations.NullMarked;
