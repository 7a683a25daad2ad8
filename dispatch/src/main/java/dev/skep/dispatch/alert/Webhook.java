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
 * @param topics names of alert kinds and event kinds; empty for all alerts and no events
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
        DISCORD;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** By its label, however that is written. */
        public static Optional<Kind> of(String label) {
            return Arrays.stream(values())
                    .filter(kind -> kind.label().equals(label.toLowerCase(Locale.ROOT)))
                    .findFirst();
        }

        /** The labels of all, for people to choose from. */
        public static List<String> labels() {
            return Arrays.stream(values()).map(Kind::label).toList();
        }

        MessageFormat format() {
            return switch (this) {
                case GENERIC -> new GenericFormat();
                case DISCORD -> new DiscordFormat();
            };
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
        return disabledReason == null && (topics.isEmpty() || topics.contains(alert.name()));
    }

    /**
     * Whether it chose this kind of event; none is sent by default, since there may be thousands a
     * minute.
     */
    boolean wants(String event) {
        return disabledReason == null && topics.contains(event);
    }

    boolean wantsEvents() {
        return topics.stream().anyMatch(topic -> EventKind.of(topic).isPresent());
    }
}
