/** What a host lets a hub do to it. Only the host decides. */
@NullMarked
package dev.skep.kernel.consent;

import org.jspecify.annotations.NullMarked;
