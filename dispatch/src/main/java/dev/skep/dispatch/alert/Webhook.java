package dev.skep.dispatch.alert;

import dev.skep.dispatch.event.EventKind;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An address to which an org's alerts and events are sent. Its secret is not part of it.
 *
 * @param url of a kind whose URL is its secret only what tells it from others
 * @param topics names of alert kinds and event kinds; empty for all usual alerts and no events. Of
 *     a person's: names of kinds of notifications; empty for none
 * @param disabledReason why nothing is sent there any more, or null
 */
public record Webhook(
        String id,
        Kind kind,
        String name,
        String url,
        Set<String> topics,
        @Nullable String disabledReason,
        Instant createdAt) {

    /** How the message is put. */
    public enum Kind {
        GENERIC,
        DISCORD,
        SLACK,
        /** A person's address, reached through the org's mail server. */
        EMAIL,
        /** A person's open pages, which ask for what is new. */
        BROWSER;

        /** Those that an org can have; the others are a person's only. */
        private static final List<Kind> OF_ORGS = List.of(GENERIC, DISCORD, SLACK);

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** By its label, however that is written. */
        public static Optional<Kind> of(String label) {
            return Arrays.stream(values())
                    .filter(kind -> kind.label().equals(label.toLowerCase(Locale.ROOT)))
                    .findFirst();
        }

        /** The labels of those that an org can have, for people to choose from. */
        public static List<String> labels() {
            return OF_ORGS.stream().map(Kind::label).toList();
        }

        public boolean isForOrgs() {
            return OF_ORGS.contains(this);
        }

        MessageFormat format() {
            return switch (this) {
                case GENERIC, BROWSER -> new GenericFormat();
                case DISCORD -> new DiscordFormat();
                case SLACK -> new SlackFormat();
                case EMAIL -> new EmailFormat();
            };
        }

        /** The body of a message to a person. */
        public String bodyOf(Digest digest) {
            return format().of(digest);
        }

        /** Whether whoever knows its URL may write there, so that the URL itself is the secret. */
        public boolean hasSecretUrl() {
            return this == DISCORD || this == SLACK;
        }

        /** Whether its receiver gets a secret to verify the sender of a message. */
        public boolean isSigned() {
            return this == GENERIC;
        }
    }

    public Webhook {
        topics = Set.copyOf(topics);
    }

    /** How audit, alerts and its sealed secret name it. */
    public static String label(String id) {
        return "webhook:" + id;
    }

    boolean wants(AlertKind alert) {
        return disabledReason == null
                && (topics.isEmpty() ? alert.isUsual() : topics.contains(alert.name()));
    }

    /**
     * Whether it chose this kind of event; none is sent by default, since there may be thousands a
     * minute.
     */
    boolean wants(String event) {
        return disabledReason == null && topics.contains(event);
    }

    /** Whether a person chose this kind of notification for it. */
    public boolean tells(String notification) {
        return disabledReason == null && topics.contains(notification);
    }

    boolean wantsEvents() {
        return topics.stream().anyMatch(topic -> EventKind.of(topic).isPresent());
    }
}
