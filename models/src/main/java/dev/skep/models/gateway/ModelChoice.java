package dev.skep.models.gateway;

import dev.skep.models.ModelCard;
import dev.skep.models.provider.ModelEndpoint;
import dev.skep.models.provider.ModelRoutes;
import dev.skep.models.provider.ModelRoutes.Route;
import org.jspecify.annotations.Nullable;

/** The model that a call goes to. */
record ModelChoice(ModelCard card, ModelEndpoint endpoint) {
    /**
     * The one that is named, or the agent's own where the table does not know the name: programs
     * ask models of their own choice for titles and summaries.
     */
    static ModelChoice of(ModelRoutes routes, GatewayWire wire, String named, @Nullable String own)
            throws RefusedCall {
        Route route = routes.route(named, wire.spoken());
        if (route instanceof Route.Unknown && own != null) {
            route = routes.route(own, wire.spoken());
        }
        return switch (route) {
            case Route.Found(var card, var endpoint) -> new ModelChoice(card, endpoint);
            case Route.Closed(var why) -> throw new RefusedCall(why);
            case Route.Unknown() ->
                    throw new RefusedCall(
                            "model %s is not in the models table, or speaks another format; add it to models.yaml"
                                    .formatted(named));
        };
    }
}
