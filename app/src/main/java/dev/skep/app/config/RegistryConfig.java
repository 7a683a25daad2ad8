package dev.skep.app.config;

import java.util.Optional;

/** The token that nodes show when they register; without one the registry is for loopback only. */
public record RegistryConfig(Optional<Secret> token) {
    static RegistryConfig read(SettingValue token) {
        return new RegistryConfig(
                Optional.of(token.text()).filter(text -> !text.isEmpty()).map(Secret::new));
    }
}
