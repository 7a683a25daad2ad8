package dev.skep.app.assembly;

import dev.skep.cli.config.RegistryConfig;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.registry.module.RegistryModule;
import dev.skep.registry.module.RegistryOptions;
import dev.skep.transport.http.HealthRoutes;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import java.util.List;

/** The registry's own port, where clients that know no other address look for it. */
final class RegistryPort {
    /** Half of what the process may open is for the listener for people. */
    private static final double PART = 0.25;

    private RegistryPort() {}

    /** Opens it if configured; the default port may be in use, a chosen one may not. */
    static List<String> open(ProcessContext around, RegistryModule registry, HostProcess process) {
        RegistryConfig config = around.configuration().registry();
        if (config.port().isEmpty()) {
            return List.of();
        }
        RegistryOptions options = registry.options();
        try {
            var health =
                    new Router(
                            new RouteTable(
                                    new HealthRoutes(
                                                    around.meters(),
                                                    DatabaseReadiness.of(List.of(process)))
                                            .routes()),
                            Authenticator.NOBODY);
            String url =
                    RegistryListener.open(around, registry, health, "--registry-port", PART).url();
            return List.of("nodes register at " + url.replaceFirst("^http", "ws") + "/ws");
        } catch (SkepException taken) {
            if (config.portIsChosen() || taken.code() != ErrorCode.PORT_IN_USE) {
                throw taken;
            }
            return List.of(
                    "port %d is in use: nodes cannot register here; choose another with --registry-port"
                            .formatted(options.port()));
        }
    }
}
