package dev.skep.directory.operator;

import dev.skep.kernel.id.OperatorId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A person, without what proves it. */
public record Operator(
        String id,
        String org,
        String username,
        Role role,
        boolean hasPassword,
        @Nullable Instant signedInAt,
        @Nullable Instant disabledAt,
        Instant createdAt) {

    public Principal.Operator principal() {
        return new Principal.Operator(new OrgId(org), new OperatorId(id), role);
    }
}
