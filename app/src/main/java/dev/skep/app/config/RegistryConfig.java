package dev.skep.app.config;

import dev.skep.registry.node.Lifetime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The registry inside a runner or hub.
 *
 * @param token what nodes show when they register; without one only this machine gets in
 * @param port where clients that know no other address find it, on this machine; empty for none
 * @param portIsChosen whether somebody asked for the port, so that it must be had
 */
public record RegistryConfig(Optional<Secret> token, Optional<Integer> port, boolean portIsChosen) {
    static final String PORT = Integer.toString(RegistryOptions.PORT);
    private static final String NONE = "none";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");

    static RegistryConfig read(SettingValue token, SettingValue port, Problems problems) {
        return new RegistryConfig(
                Optional.of(token.text()).filter(text -> !text.isEmpty()).map(Secret::new),
                port(port, problems),
                !port.isDefault());
    }

    private static Optional<Integer> port(SettingValue port, Problems problems) {
        if (port.text().equals(NONE)) {
            return Optional.empty();
        }
        if (!NUMBER.matcher(port.text()).matches() || Integer.parseInt(port.text()) > 65_535) {
            problems.add(
                    "%s is no port: \"%s\"; write a number up to 65535, or %s"
                            .formatted(port.named(), port.text(), NONE));
            return Optional.empty();
        }
        return Optional.of(Integer.parseInt(port.text()));
    }

    /** As {@code skep registry} has it without options, on this machine only. */
    public RegistryOptions options() {
        return new RegistryOptions(
                "127.0.0.1",
                port.orElse(0),
                Lifetime.USUAL,
                Set.of(),
                Set.of(),
                false,
                List.of("pi"));
    }
}
