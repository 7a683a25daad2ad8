package dev.skep.registry.module;

import dev.skep.directory.assembly.Directory;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.registry.routes.RegistryCaller;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.socket.SocketRequest;
import java.util.Optional;

/** People who are signed in and may steer agents. */
final class OperatorCallers {
    private final Authenticator authenticator;

    OperatorCallers(Directory directory) {
        this.authenticator = directory.authentication(Optional.empty());
    }

    /** Wrong credentials count as none. */
    private Optional<Principal> principalOf(SocketRequest request) {
        try {
            return authenticator.principalOf(request.credentials());
        } catch (SkepException wrong) {
            return Optional.empty();
        }
    }

    Optional<RegistryCaller> visitorOf(SocketRequest request) {
        return principalOf(request)
                .filter(Principal.Operator.class::isInstance)
                .map(Principal.Operator.class::cast)
                .filter(operator -> operator.role().includes(Role.OPERATOR))
                .map(
                        operator ->
                                new RegistryCaller(
                                        operator.org(),
                                        operator.role().includes(Role.ADMIN),
                                        true));
    }
}
