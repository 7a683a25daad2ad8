package dev.skep.runner.runtime;

import dev.skep.models.provider.ProviderProtocol;
import java.util.Locale;
import java.util.Set;

/** The format in which a runtime asks its model, and so the path of the gateway that it uses. */
public enum ModelApiFormat {
    ANTHROPIC,
    OPENAI,
    GOOGLE,
    /** It cannot be pointed at the gateway. */
    NONE;

    /** The providers that are asked in this format. */
    public Set<ProviderProtocol> providers() {
        return switch (this) {
            case ANTHROPIC -> Set.of(ProviderProtocol.ANTHROPIC);
            case OPENAI ->
                    Set.of(
                            ProviderProtocol.OPENAI,
                            ProviderProtocol.OPENAI_RESPONSES,
                            ProviderProtocol.OPENAI_COMPATIBLE);
            case GOOGLE -> Set.of(ProviderProtocol.GOOGLE);
            case NONE -> Set.of();
        };
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
