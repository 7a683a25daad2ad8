/** What processes forget, and what they do not. */
@NullMarked
package dev.skep.conformance.retention;

import org.jspecify.annotations.NullMarked;
