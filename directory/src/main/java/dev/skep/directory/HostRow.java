package dev.skep.directory;

import dev.skep.kernel.id.HostId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code hosts}.
 *
 * @param name what it calls itself; in a list, what people call it
 * @param nameConflict whether another host had the name first
 * @param healedEpoch the last epoch in which it wrote all its rows anew
 * @param retainedFrom written by earlier versions; has no meaning now
 * @param floors below which stamps it has purged its rows
 */
public record HostRow(
        HostId id,
        String name,
        String kind,
        @Nullable String publicKey,
        @Nullable String machineId,
        boolean nameConflict,
        @Nullable Long healedEpoch,
        @Nullable String retainedFrom,
        @Nullable String floors,
        Instant createdAt) {}
