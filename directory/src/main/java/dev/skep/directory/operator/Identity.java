package dev.skep.directory.operator;

import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Role;
import java.util.Map;

/**
 * What an identity provider says about somebody who signed in there.
 *
 * @param subject what the issuer calls the account, for ever
 * @param name what people call it
 * @param roles what its groups give it, by org
 */
public record Identity(
        String provider, String issuer, String subject, String name, Map<OrgId, Role> roles) {
    public Identity {
        roles = Map.copyOf(roles);
    }
}
