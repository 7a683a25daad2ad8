/** Dispatch as one component of a hub. */
@NullMarked
package dev.skep.dispatch.assembly;

import org.jspecify.annotations.NullMarked;
