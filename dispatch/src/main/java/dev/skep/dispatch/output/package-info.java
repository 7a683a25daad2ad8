/** What runs print, kept in the order it was printed and no longer than a bound. */
@NullMarked
package dev.skep.dispatch.output;

import org.jspecify.annotations.NullMarked;
