/** The caller: every store method takes a Principal instead of an org id. */
@NullMarked
package dev.skep.kernel.identity;

import org.jspecify.annotations.NullMarked;
