package dev.skep.registry.wire;

import tools.jackson.databind.JsonNode;

/** What a call is answered with. */
public record RegistryResult(JsonNode value) {}
