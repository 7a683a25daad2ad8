/** What the job queue promises, on every engine. */
@NullMarked
package dev.skep.conformance.dispatch;

import org.jspecify.annotations.NullMarked;
