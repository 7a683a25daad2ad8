package dev.skep.app.config;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How jobs are given out and done.
 *
 * @param queue the Redis a hub keeps its queue in; empty for its database
 * @param privateWebhooks whether webhooks may reach this machine and its network
 * @param atOnce how many jobs this host does at the same time
 */
public record JobsConfig(Optional<Secret> queue, boolean privateWebhooks, int atOnce) {
    static final String AT_ONCE = "4";
    private static final Pattern REDIS = Pattern.compile("rediss?://\\S+");
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,3}");

    static JobsConfig read(
            SettingValue queue, SettingValue webhooks, SettingValue atOnce, Problems problems) {
        if (!queue.text().isEmpty() && !REDIS.matcher(queue.text()).matches()) {
            problems.add(queue.named() + " is no address of a Redis; write redis://HOST:6379");
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
        return new JobsConfig(
                Optional.of(queue.text()).filter(url -> !url.isEmpty()).map(Secret::new),
                webhooks.text().equals("yes"),
                usable ? Integer.parseInt(atOnce.text()) : 1);
    }
}
