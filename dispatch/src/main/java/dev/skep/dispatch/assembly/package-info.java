/** Dispatch as one component and one module of a hub. */
@NullMarked
package dev.skep.dispatch.assembly;

import org.jspecify.annotations.NullMarked;
