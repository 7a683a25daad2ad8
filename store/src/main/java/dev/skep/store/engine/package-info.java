/** The two databases behind {@link dev.skep.store.Database}. */
@NullMarked
package dev.skep.store.engine;

import org.jspecify.annotations.NullMarked;
