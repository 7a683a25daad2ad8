/**
 * Events inside one process. An event may be lost, so a listener must be able to rebuild its state
 * from the store.
 */
@NullMarked
package dev.skep.kernel.event;

import org.jspecify.annotations.NullMarked;
