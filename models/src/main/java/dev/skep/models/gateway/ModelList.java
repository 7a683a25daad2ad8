package dev.skep.models.gateway;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which models there are, as programs ask it: the agent's own. */
final class ModelList {
    private ModelList() {}

    static RefusalResponse of(GatewayWire wire, @Nullable String model) {
        String name = CallBody.JSON.writeValueAsString(model == null ? "" : model);
        String body =
                switch (wire) {
                    case ANTHROPIC ->
                            "{\"data\":[%s],\"has_more\":false}"
                                    .formatted(
                                            entry(
                                                    model,
                                                    "{\"type\":\"model\",\"id\":%s,\"display_name\":%s,\"created_at\":\"1970-01-01T00:00:00Z\"}",
                                                    name));
                    case CHAT, RESPONSES ->
                            "{\"object\":\"list\",\"data\":[%s]}"
                                    .formatted(
                                            entry(
                                                    model,
                                                    "{\"id\":%s,\"object\":\"model\",\"created\":0,\"owned_by\":\"skep\"}",
                                                    name));
                    case GOOGLE ->
                            "{\"models\":[%s]}"
                                    .formatted(
                                            entry(
                                                    model,
                                                    "{\"name\":%s,\"displayName\":%s}",
                                                    CallBody.JSON.writeValueAsString(
                                                            "models/" + model)));
                };
        return new RefusalResponse(200, Map.of("content-type", "application/json"), body);
    }

    private static String entry(@Nullable String model, String form, String name) {
        return model == null ? "" : form.replace("%s", name);
    }
}
