package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Principal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What admins keep: people, invitations, keys, webhooks. Never a secret. */
public interface Settings {
    /** A person. */
    record OperatorView(
            String id,
            String username,
            String role,
            @Nullable Instant signedInAt,
            @Nullable Instant disabledAt) {}

    /** An invitation that was not used yet. */
    record PairingView(String id, String createdBy, Instant createdAt, Instant expiresAt) {}

    /** A host's key. */
    record KeyView(
            String id,
            String host,
            int version,
            Instant createdAt,
            @Nullable Instant expiresAt,
            @Nullable Instant revokedAt) {}

    /** Where an org wants to be told. */
    record WebhookView(
            String id,
            String kind,
            String name,
            String url,
            String topics,
            @Nullable String disabledReason) {}

    List<OperatorView> operators(Principal principal);

    List<PairingView> pairings(Principal principal);

    List<KeyView> keys(Principal principal);

    List<WebhookView> webhooks(Principal principal);
}
