package dev.skep.cli.config;

import dev.skep.registry.module.RegistryOptions;
import dev.skep.registry.node.NodeTimeouts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The registry of a process.
 *
 * @param token what nodes present when they register; without one only this machine may connect
 * @param port where clients that know no other address find it, on this machine; empty for none
 * @param portIsChosen whether the port was configured, so that it must be available
 * @param options how it behaves, on this machine only
 */
public record RegistryConfig(
        Optional<SecretValue> token,
        Optional<Integer> port,
        boolean portIsChosen,
        RegistryOptions options) {
    static final String PORT = Integer.toString(RegistryOptions.PORT);
    static final String TTL = Long.toString(NodeTimeouts.USUAL.ttl().toSeconds());
    static final String RETAIN = Long.toString(NodeTimeouts.USUAL.retain().toDays());
    static final String COMMAND = "pi";

    /** Where the dashboard of the older registry is served from while it is worked on. */
    static final String PI_DE =
            "http://localhost:5180,http://127.0.0.1:5180,http://localhost:5173,http://127.0.0.1:5173";

    private static final String NONE = "none";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})([smhd]?)");

    static RegistryConfig read(Map<Setting, SettingValue> values, ConfigProblems problems) {
        SettingValue token = Configuration.of(values, Setting.REGISTRY_TOKEN);
        SettingValue portSetting = Configuration.of(values, Setting.REGISTRY_PORT);
        Optional<Integer> port = port(portSetting, problems);
        return new RegistryConfig(
                Optional.of(token.text()).filter(text -> !text.isEmpty()).map(SecretValue::new),
                port,
                !portSetting.isDefault(),
                options(values, port.orElse(0), problems));
    }

    private static RegistryOptions options(
            Map<Setting, SettingValue> values, int port, ConfigProblems problems) {
        SettingValue origins = Configuration.of(values, Setting.ALLOW_ORIGIN);
        SettingValue command = Configuration.of(values, Setting.AGENT_COMMAND);
        return new RegistryOptions(
                "127.0.0.1",
                port,
                new NodeTimeouts(
                        ttl(Configuration.of(values, Setting.NODE_TTL), problems),
                        retain(Configuration.of(values, Setting.RETAIN), problems)),
                ListenerSettings.names(Configuration.of(values, Setting.ALLOW_MACHINE), problems),
                new RegistryOptions.Origins(
                        origins.text().equals(NONE)
                                ? Set.of()
                                : ListenerSettings.origins(origins, problems),
                        origins.isDefault()),
                yes(Configuration.of(values, Setting.ALLOW_SPAWN), problems),
                List.of(command.text().strip().split(" +", -1)));
    }

    private static Optional<Integer> port(SettingValue port, ConfigProblems problems) {
        if (port.text().equals(NONE)) {
            return Optional.empty();
        }
        if (!NUMBER.matcher(port.text()).matches() || Integer.parseInt(port.text()) > 65_535) {
            problems.add(
                    "%s is not a port: \"%s\"; write a number up to 65535, or %s"
                            .formatted(port.named(), port.text(), NONE));
            return Optional.empty();
        }
        return Optional.of(Integer.parseInt(port.text()));
    }

    private static Duration ttl(SettingValue value, ConfigProblems problems) {
        if (!NUMBER.matcher(value.text()).matches() || Integer.parseInt(value.text()) < 1) {
            problems.add(
                    "%s is \"%s\"; write seconds, at least 1"
                            .formatted(value.named(), value.text()));
            return NodeTimeouts.USUAL.ttl();
        }
        return Duration.ofSeconds(Integer.parseInt(value.text()));
    }

    private static Duration retain(SettingValue value, ConfigProblems problems) {
        Matcher parts = TIME.matcher(value.text());
        if (!parts.matches()) {
            problems.add(
                    "%s is \"%s\"; write days, or 90s, 15m, 12h, 30d"
                            .formatted(value.named(), value.text()));
            return NodeTimeouts.USUAL.retain();
        }
        long count = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(Math.min(count, 100_000));
        };
    }

    private static boolean yes(SettingValue value, ConfigProblems problems) {
        if (!Set.of("", "yes", "no").contains(value.text())) {
            problems.add(value.named() + " is \"" + value.text() + "\"; say yes or no");
        }
        return value.text().equals("yes");
    }
}
