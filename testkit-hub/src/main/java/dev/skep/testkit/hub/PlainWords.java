package dev.skep.testkit.hub;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OperatorId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.Credentials;
import java.util.Optional;

/**
 * Callers whose token says who they are, for tests of what they may do: {@code operator:ORG} (an
 * admin), {@code plain:ORG}, {@code viewer:ORG}, {@code host:ORG:ID}, {@code agent:ORG:ID}.
 */
public final class PlainWords implements Authenticator {
    @Override
    public Optional<Principal> principalOf(Credentials credentials) {
        return credentials.bearer().map(PlainWords::principal);
    }

    private static Principal principal(String word) {
        String[] parts = word.split(":", -1);
        OrgId org = new OrgId(parts[1]);
        return switch (parts[0]) {
            case "host" -> new Principal.Host(org, new HostId(parts[2]));
            case "agent" -> new Principal.Agent(org, new AgentId(parts[2]), new HostId("h1"));
            case "plain" -> operator(org, Role.OPERATOR);
            case "viewer" -> operator(org, Role.VIEWER);
            default -> operator(org, Role.ADMIN);
        };
    }

    private static Principal operator(OrgId org, Role role) {
        return new Principal.Operator(org, new OperatorId("op"), role);
    }

    @Override
    public boolean isOrg(OrgId org) {
        return true;
    }
}
