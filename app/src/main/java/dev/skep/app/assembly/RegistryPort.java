package dev.skep.app.assembly;

import dev.skep.app.config.RegistryConfig;
import dev.skep.app.config.RegistryOptions;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.http.HealthRoutes;
import dev.skep.transport.route.Authentication;
import dev.skep.transport.route.Dispatch;
import dev.skep.transport.route.RouteTable;
import java.util.List;
import java.util.Map;

/** The registry's own port, where clients that know no other address look for it. */
final class RegistryPort {
    private RegistryPort() {}

    /** Opens it if there is to be one; the usual port may be somebody else's, a chosen one not. */
    static List<String> open(Surroundings around, RegistryHouse registry) {
        RegistryConfig config = around.configuration().registry();
        if (config.port().isEmpty()) {
            return List.of();
        }
        RegistryOptions options = config.options();
        try {
            var health =
                    new Dispatch(
                            new RouteTable(new HealthRoutes(around.meters(), Map.of()).routes()),
                            Authentication.NOBODY);
            String url =
                    RegistryListener.open(around, options, registry, health, "--registry-port")
                            .url();
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
