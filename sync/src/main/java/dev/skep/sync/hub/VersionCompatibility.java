package dev.skep.sync.hub;

import dev.skep.sync.SyncSchema;
import dev.skep.wire.Message.CatchUp;
import dev.skep.wire.Message.SyncError;
import java.util.Optional;

/** Whether a host and this hub are of versions that understand each other. */
final class VersionCompatibility {
    private VersionCompatibility() {}

    /** The error for the host if they do not. */
    static Optional<SyncError> refusal(CatchUp m, SyncSchema schema) {
        int ours = schema.version();
        boolean protocol =
                m.protocolMin() <= schema.protocol() && m.protocolMax() >= SyncSchema.PROTOCOL_MIN;
        if (protocol && m.schemaVersion() <= ours) {
            return Optional.empty();
        }
        String who =
                m.schemaVersion() > ours || m.protocolMin() > schema.protocol() ? "hub" : "runner";
        return Optional.of(
                new SyncError(
                        SyncError.SCHEMA_VERSION_MISMATCH,
                        (long) ours,
                        (long) m.schemaVersion(),
                        "Runner schema version %d does not match Hub version %d. Please update %s."
                                .formatted(m.schemaVersion(), ours, who)));
    }
}
