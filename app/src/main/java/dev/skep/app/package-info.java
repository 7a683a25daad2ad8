/** The entry point of the process. */
@NullMarked
package dev.skep.app;

import org.jspecify.annotations.NullMarked;
