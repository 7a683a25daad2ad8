/** To be said. */
@NullMarked
package dev.skep.sync;

import org.jspecify.annotations.NullMarked;
