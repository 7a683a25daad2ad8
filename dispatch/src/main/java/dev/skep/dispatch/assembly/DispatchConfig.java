package dev.skep.dispatch.assembly;

import dev.skep.dispatch.host.StatusRules;
import dev.skep.dispatch.queue.QueueSettings;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What is set from outside.
 *
 * @param queueUrl QUEUE_URL, a Redis; empty for the database itself
 * @param secretsKey the file with the key that webhooks' secrets are encrypted with
 * @param privateWebhooks whether webhooks may reach this machine and its network
 * @param redact takes secrets out of what is told to people
 */
public record DispatchConfig(
        Optional<String> queueUrl,
        Path secretsKey,
        boolean privateWebhooks,
        StatusRules rules,
        QueueSettings queue,
        UnaryOperator<String> redact) {

    /** With texts that have no secrets in them. */
    public DispatchConfig(
            Optional<String> queueUrl,
            Path secretsKey,
            boolean privateWebhooks,
            StatusRules rules,
            QueueSettings queue) {
        this(queueUrl, secretsKey, privateWebhooks, rules, queue, UnaryOperator.identity());
    }

    /** With leases as they usually are. */
    public DispatchConfig(
            Optional<String> queueUrl,
            Path secretsKey,
            boolean privateWebhooks,
            StatusRules rules) {
        this(queueUrl, secretsKey, privateWebhooks, rules, QueueSettings.STANDARD);
    }
}
