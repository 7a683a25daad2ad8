/** What a host lets a hub do to it; the host decides, and nobody decides for it. */
@NullMarked
package dev.skep.kernel.consent;

import org.jspecify.annotations.NullMarked;
