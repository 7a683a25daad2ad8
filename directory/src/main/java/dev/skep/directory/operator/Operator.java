package dev.skep.directory.operator;

import dev.skep.kernel.id.OperatorId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A person in one org, without what proves it.
 *
 * @param hasSecondFactor whether a password alone does not let them in
 * @param signsInElsewhere whether another org's operator is the same person and keeps the password
 * @param managedBy the identity provider whose groups decide about role and standing; null if
 *     admins do
 */
public record Operator(
        String id,
        String org,
        String username,
        Role role,
        boolean hasPassword,
        @Nullable Instant signedInAt,
        @Nullable Instant disabledAt,
        Instant createdAt,
        boolean hasSecondFactor,
        boolean signsInElsewhere,
        @Nullable String managedBy) {

    public Principal.Operator principal() {
        return new Principal.Operator(new OrgId(org), new OperatorId(id), role);
    }
}
