/** Many callers, one commit: calls that wait together are answered together. */
@NullMarked
package dev.skep.dispatch.batch;

import org.jspecify.annotations.NullMarked;
