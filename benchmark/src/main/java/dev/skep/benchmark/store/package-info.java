/** How much the store costs over the bare driver. */
@NullMarked
package dev.skep.benchmark.store;

import org.jspecify.annotations.NullMarked;
