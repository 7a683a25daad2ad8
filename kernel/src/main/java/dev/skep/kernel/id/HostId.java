package dev.skep.kernel.id;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;

/** Names one enrolled machine, the owner of its rows. */
public record HostId(String value) {
    public HostId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("HostId is blank");
        }
    }

    /** An id that came from elsewhere: hosts make ULIDs, and nothing else is one. */
    public static HostId parse(String text) {
        if (!Ids.isOurUlid(text)) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "that is not a host id; a host's id is a ULID of 26 characters");
        }
        return new HostId(text);
    }

    @Override
    public String toString() {
        return value;
    }
}
