/** The output of runs, in the order it was printed and up to a limit. */
@NullMarked
package dev.skep.dispatch.output;

import org.jspecify.annotations.NullMarked;
