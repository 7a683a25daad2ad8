package dev.skep.supervisor.source;

import dev.skep.dispatch.alert.Webhook;
import dev.skep.kernel.identity.Principal;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What admins keep: their org, people, invitations, keys, webhooks. Never a secret. */
public interface SettingsSource {
    /**
     * The org itself.
     *
     * @param sharedKeyFrom where the key was set that lets any host in, null if there is none
     */
    record OrgView(String id, String name, Instant createdAt, @Nullable String sharedKeyFrom) {}

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

    /** A webhook of an org. */
    record WebhookView(
            String id,
            String kind,
            String name,
            String url,
            String topics,
            @Nullable String disabledReason) {
        public static WebhookView of(Webhook webhook) {
            return new WebhookView(
                    webhook.id(),
                    webhook.kind().label(),
                    webhook.name(),
                    webhook.url(),
                    String.join(",", new TreeSet<>(webhook.topics())),
                    webhook.disabledReason());
        }
    }

    OrgView org(Principal principal);

    List<OperatorView> operators(Principal principal);

    List<PairingView> pairings(Principal principal);

    List<KeyView> keys(Principal principal);

    List<WebhookView> webhooks(Principal principal);
}
