/** The nemesis, and that it can fail. */
@NullMarked
package dev.skep.fleet.nemesis;

import org.jspecify.annotations.NullMarked;
