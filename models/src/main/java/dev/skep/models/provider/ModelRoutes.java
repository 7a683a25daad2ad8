package dev.skep.models.provider;

import dev.skep.models.ModelCard;
import java.util.Set;

/** Finds where a model answers, for those who speak its wire format themselves. */
public interface ModelRoutes {
    /** What is known under a name. */
    sealed interface Route {
        record Found(ModelCard card, ModelEndpoint endpoint) implements Route {}

        /** It is in the table but cannot be asked; one line that names the model and the fix. */
        record Closed(String why) implements Route {}

        record Unknown() implements Route {}
    }

    /** By the name that agents' files use, or else by the provider's own. */
    Route route(String name, Set<ProviderProtocol> spoken);
}
