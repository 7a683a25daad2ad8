/** When to try again what failed. */
@NullMarked
package dev.skep.kernel.retry;

import org.jspecify.annotations.NullMarked;
