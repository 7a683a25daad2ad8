/**
 * Facts that happened, as told inside one process: may be lost, so a listener can always rebuild
 * from the store.
 */
@NullMarked
package dev.skep.kernel.event;

import org.jspecify.annotations.NullMarked;
