/** Starting programs of the system. */
@NullMarked
package dev.skep.kernel.process;

import org.jspecify.annotations.NullMarked;
