package dev.skep.models.gateway;

import dev.skep.models.provider.ModelEndpoint;
import dev.skep.models.provider.ProviderProtocol;
import java.util.Map;
import java.util.Set;

/** The wire formats that programs speak to the gateway. */
enum GatewayWire {
    ANTHROPIC("messages", 5_000),
    CHAT("messages", 12_000),
    RESPONSES("input", 12_000),
    GOOGLE("contents", 10_000);

    private final String conversation;
    private final long imageTokens;

    GatewayWire(String conversation, long imageTokens) {
        this.conversation = conversation;
        this.imageTokens = imageTokens;
    }

    Set<ProviderProtocol> spoken() {
        return switch (this) {
            case ANTHROPIC -> Set.of(ProviderProtocol.ANTHROPIC);
            case CHAT, RESPONSES ->
                    Set.of(
                            ProviderProtocol.OPENAI,
                            ProviderProtocol.OPENAI_RESPONSES,
                            ProviderProtocol.OPENAI_COMPATIBLE);
            case GOOGLE -> Set.of(ProviderProtocol.GOOGLE);
        };
    }

    /** The member of a body that grows from call to call. */
    String conversation() {
        return conversation;
    }

    /** More than any image costs with the providers of this wire, however large it is. */
    long imageTokens() {
        return imageTokens;
    }

    /** What is refused, and where the bounds are. */
    WireRules rules() {
        return switch (this) {
            case ANTHROPIC -> new AnthropicRules();
            case CHAT -> new ChatRules();
            case RESPONSES -> new ResponsesRules();
            case GOOGLE -> new GoogleRules();
        };
    }

    /** The header that proves who pays. */
    Map<String, String> key(ModelEndpoint endpoint) {
        String key = endpoint.key();
        if (key == null) {
            return Map.of();
        }
        return switch (this) {
            case ANTHROPIC -> Map.of("x-api-key", key);
            case CHAT, RESPONSES -> Map.of("authorization", "Bearer " + key);
            case GOOGLE -> Map.of("x-goog-api-key", key);
        };
    }
}
