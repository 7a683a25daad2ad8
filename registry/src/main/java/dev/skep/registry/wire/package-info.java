/**
 * The registry's protocol as existing clients use it; the only place that names its JSON fields and
 * error texts. Frames become {@link dev.skep.registry.wire.RegistryCall}s; an incomplete request is
 * refused, and a frame that is not a request is ignored.
 */
@NullMarked
package dev.skep.registry.wire;

import org.jspecify.annotations.NullMarked;
