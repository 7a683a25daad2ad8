/** To be said. */
@NullMarked
package dev.skep.simulation;

import org.jspecify.annotations.NullMarked;
