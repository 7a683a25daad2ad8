/**
 * The registry's protocol as other people's clients speak it: the only place that names its JSON
 * fields and error texts. Frames become {@link dev.skep.registry.wire.RegistryCall}s; what a frame
 * lacks becomes a refusal to send back, and what is no request at all is ignored.
 */
@NullMarked
package dev.skep.registry.wire;

import org.jspecify.annotations.NullMarked;
