/** What the store promises, on both databases. */
@NullMarked
package dev.skep.conformance.store;

import org.jspecify.annotations.NullMarked;
