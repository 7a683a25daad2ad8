/** Time that only goes forward, for deadlines that are stored. */
@NullMarked
package dev.skep.store.clock;

import org.jspecify.annotations.NullMarked;
