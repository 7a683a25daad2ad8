package dev.skep.registry.document;

import dev.skep.registry.wire.StateReader.Sink;

/** Something that holds a registry's state and can be read more than once. */
@FunctionalInterface
public interface StateSource {
    /**
     * Hands everything to the sink, in order; throws {@code InvalidDocumentException} at the first
     * fault.
     */
    void readInto(Sink sink);
}
