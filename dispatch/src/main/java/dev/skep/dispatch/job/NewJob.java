package dev.skep.dispatch.job;

import dev.skep.kernel.id.HostId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request for work that is not stored yet; its host has been resolved already.
 *
 * @param payload a JSON object the host's worker understands
 * @param priority higher is claimed first
 * @param idempotencyKey the same key in the same org is the same job
 * @param timeout how long one run may take; null for as long as its lease is renewed
 * @param maxAttempts how often it runs at most while it fails; lost runs are not counted
 * @param runAt not before; null for now
 */
public record NewJob(
        HostId host,
        @Nullable ServerId server,
        String type,
        String payload,
        int priority,
        @Nullable String idempotencyKey,
        @Nullable Duration timeout,
        int maxAttempts,
        @Nullable Instant runAt) {

    /** One run, now, of no particular urgency. */
    public static NewJob plain(HostId host, String type, String payload) {
        return new NewJob(host, null, type, payload, 0, null, null, 1, null);
    }

    public NewJob of(ServerId instance) {
        return new NewJob(
                host,
                instance,
                type,
                payload,
                priority,
                idempotencyKey,
                timeout,
                maxAttempts,
                runAt);
    }

    public NewJob withPriority(int other) {
        return new NewJob(
                host, server, type, payload, other, idempotencyKey, timeout, maxAttempts, runAt);
    }

    public NewJob withKey(String key) {
        return new NewJob(host, server, type, payload, priority, key, timeout, maxAttempts, runAt);
    }

    public NewJob withTimeout(Duration other) {
        return new NewJob(
                host, server, type, payload, priority, idempotencyKey, other, maxAttempts, runAt);
    }

    public NewJob withMaxAttempts(int other) {
        return new NewJob(
                host, server, type, payload, priority, idempotencyKey, timeout, other, runAt);
    }

    public NewJob notBefore(Instant instant) {
        return new NewJob(
                host,
                server,
                type,
                payload,
                priority,
                idempotencyKey,
                timeout,
                maxAttempts,
                instant);
    }
}
