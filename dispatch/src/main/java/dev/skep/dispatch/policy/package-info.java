/** An org's own settings for its jobs. */
@NullMarked
package dev.skep.dispatch.policy;

import org.jspecify.annotations.NullMarked;
