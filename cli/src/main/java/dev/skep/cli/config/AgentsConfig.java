package dev.skep.cli.config;

import dev.skep.models.money.Dollars;
import dev.skep.models.money.SpendLimit;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What all agents of this host share.
 *
 * @param waitForHubs how long hubs may be silent that are to give lost agents back
 * @param approvalTimeout how long commands wait for a person if the agent's file does not say
 * @param readEnvironment reads the environment and the .env file as they are now
 */
public record AgentsConfig(
        Optional<SpendLimit> totalLimit,
        Duration waitForHubs,
        Duration approvalTimeout,
        Supplier<Map<String, String>> readEnvironment) {
    static final String WINDOW = "1d";
    static final String WAIT = "60s";
    static final String APPROVAL = "10m";

    private static final Pattern TIME = Pattern.compile("([1-9][0-9]{0,5})(m|h|d)");
    private static final Pattern SHORT_TIME = Pattern.compile("([0-9]{1,4})(s|m)|0");

    static AgentsConfig read(
            SettingValue limit,
            SettingValue window,
            SettingValue wait,
            SettingValue approval,
            Supplier<Map<String, String>> readEnvironment,
            ConfigProblems problems) {
        Duration length = window(window, problems);
        return new AgentsConfig(
                amount(limit, problems).map(amount -> new SpendLimit(amount, length)),
                wait(wait, problems),
                window(approval, problems),
                readEnvironment);
    }

    /**
     * What {@code ${env.NAME}} and models' keys are looked up in: a key that was added while the
     * runner runs is there when an agent starts.
     */
    public Map<String, String> environment() {
        return readEnvironment.get();
    }

    private static Optional<Dollars> amount(SettingValue limit, ConfigProblems problems) {
        if (limit.text().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Dollars.parse(limit.text()));
        } catch (IllegalArgumentException e) {
            problems.add(limit.named() + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private static Duration wait(SettingValue wait, ConfigProblems problems) {
        Matcher time = SHORT_TIME.matcher(wait.text());
        if (!time.matches()) {
            problems.add(
                    "%s is not a length of time: \"%s\"; write for example 30s or 5m, or 0 for none"
                            .formatted(wait.named(), wait.text()));
            return Duration.ZERO;
        }
        if (time.group(1) == null) {
            return Duration.ZERO;
        }
        long count = Long.parseLong(time.group(1));
        return time.group(2).equals("s") ? Duration.ofSeconds(count) : Duration.ofMinutes(count);
    }

    private static Duration window(SettingValue window, ConfigProblems problems) {
        Matcher time = TIME.matcher(window.text());
        if (!time.matches()) {
            problems.add(
                    window.named()
                            + " is not a length of time: \""
                            + window.text()
                            + "\"; write for example 30m, 12h or 7d");
            return Duration.ofDays(1);
        }
        long count = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }

    @Override
    public String toString() {
        return "agents";
    }
}
