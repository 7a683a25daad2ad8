package dev.skep.dispatch.assembly;

import dev.skep.dispatch.host.StatusRules;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What is set from outside.
 *
 * @param queueUrl QUEUE_URL, a Redis; empty for the database itself
 * @param secretsKey the file with the key that webhooks' secrets are encrypted with
 * @param privateWebhooks whether webhooks may reach this machine and its network
 */
public record DispatchConfig(
        Optional<String> queueUrl, Path secretsKey, boolean privateWebhooks, StatusRules rules) {}
