package dev.skep.cli.config;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How jobs are given out and done.
 *
 * @param queue the Redis a hub keeps its queue in; empty for its database
 * @param privateWebhooks whether webhooks may reach this machine and its network
 * @param atOnce how many jobs this host does at the same time
 * @param asRunner whether jobs run as the runner's user and without a wall
 */
public record JobsConfig(
        Optional<SecretValue> queue, boolean privateWebhooks, int atOnce, boolean asRunner) {
    static final String AT_ONCE = "4";
    static final String USER = "own";
    private static final String RUNNER = "runner";
    private static final Pattern REDIS = Pattern.compile("rediss?://\\S+");
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,3}");

    static JobsConfig read(
            SettingValue queue,
            SettingValue webhooks,
            SettingValue atOnce,
            SettingValue user,
            ConfigProblems problems) {
        if (!queue.text().isEmpty() && !REDIS.matcher(queue.text()).matches()) {
            problems.add(queue.named() + " is not the address of a Redis; write redis://HOST:6379");
        }
        if (!Set.of("", "yes", "no").contains(webhooks.text())) {
            problems.add(webhooks.named() + " is \"" + webhooks.text() + "\"; say yes or no");
        }
        boolean usable = NUMBER.matcher(atOnce.text()).matches();
        if (!usable) {
            problems.add(
                    "%s is \"%s\"; write a number from 1 to 9999"
                            .formatted(atOnce.named(), atOnce.text()));
        }
        if (!Set.of(USER, RUNNER).contains(user.text())) {
            problems.add("%s is \"%s\"; say own or runner".formatted(user.named(), user.text()));
        }
        return new JobsConfig(
                Optional.of(queue.text()).filter(url -> !url.isEmpty()).map(SecretValue::new),
                webhooks.text().equals("yes"),
                usable ? Integer.parseInt(atOnce.text()) : 1,
                user.text().equals(RUNNER));
    }
}
