package dev.skep.kernel.id;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;

/** Names one command that waits for a person's yes; always in full, so that no other is meant. */
public record ApprovalId(String value) {
    public ApprovalId {
        if (!Ids.isUlid(value)) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "an approval is named by its full id of 26 characters; 'skep approvals' and the pages show it");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
