package dev.skep.browser.demo;

import dev.skep.directory.org.DefaultOrg;
import dev.skep.kernel.id.OperatorId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.Credentials;
import java.util.Locale;
import java.util.Optional;

/** The session cookie of the made-up fleet is the name of a role. */
final class DemoAuthentication implements Authenticator {
    @Override
    public Optional<Principal> principalOf(Credentials credentials) {
        return credentials
                .session()
                .or(credentials::bearer)
                .filter(session -> session.matches("viewer|operator|admin"))
                .map(
                        role ->
                                new Principal.Operator(
                                        DefaultOrg.DEFAULT,
                                        new OperatorId("maria"),
                                        Role.valueOf(role.toUpperCase(Locale.ROOT))));
    }

    @Override
    public boolean isOrg(OrgId org) {
        return org.equals(DefaultOrg.DEFAULT);
    }
}
