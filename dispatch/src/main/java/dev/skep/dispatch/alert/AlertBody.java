package dev.skep.dispatch.alert;

import dev.skep.dispatch.event.OrgEvent;
import dev.skep.kernel.id.OrgId;
import dev.skep.transport.route.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** An alert or an event as each kind of channel wants it. */
final class AlertBody {
    /** Discord's limits on an embed's title, description and field. */
    private static final int TITLE = 256;

    private static final int DESCRIPTION = 4_096;
    private static final int FIELD = 1_024;
    private static final int EVENT_COLOUR = 0x7F_7F_7F;

    private AlertBody() {}

    static String of(Webhook.Kind kind, Alert alert) {
        return switch (kind) {
            case GENERIC -> generic(alert);
            case DISCORD -> discord(alert);
        };
    }

    static String of(Webhook.Kind kind, OrgId org, OrgEvent event) {
        return switch (kind) {
            case GENERIC -> generic(org, event);
            case DISCORD ->
                    discord(
                            event.type(),
                            said(event),
                            EVENT_COLOUR,
                            event.at(),
                            "Event",
                            event.id());
        };
    }

    /** The event as streams tell it, and whose it is. */
    private static String generic(OrgId org, OrgEvent event) {
        Map<String, Object> data = new TreeMap<>(event.data());
        data.put("orgId", org.value());
        data.put("eventId", event.id());
        return Json.text(Map.of("type", event.type(), "timestamp", event.at(), "data", data));
    }

    private static String said(OrgEvent event) {
        return event.data().entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining("\n"));
    }

    private static String generic(Alert alert) {
        return Json.text(
                Map.of(
                        "type",
                        alert.kind().name(),
                        "timestamp",
                        alert.at(),
                        "data",
                        Map.of(
                                "alertId",
                                alert.id(),
                                "orgId",
                                alert.org().value(),
                                "subject",
                                alert.subject(),
                                "message",
                                alert.message())));
    }

    private static String discord(Alert alert) {
        return discord(
                alert.kind().title(),
                alert.message(),
                alert.kind().colour(),
                alert.at(),
                "Subject",
                alert.subject());
    }

    private static String discord(
            String title, String text, int colour, Instant at, String name, String value) {
        Map<String, Object> embed =
                Map.of(
                        "title",
                        cut(title, TITLE),
                        "description",
                        cut(text, DESCRIPTION),
                        "color",
                        colour,
                        "timestamp",
                        at.toString(),
                        "fields",
                        List.of(Map.of("name", name, "value", cut(value, FIELD), "inline", true)));
        // No mentions: a host's name must not be able to wake a whole server.
        return Json.text(
                Map.of("embeds", List.of(embed), "allowed_mentions", Map.of("parse", List.of())));
    }

    private static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
    }
}
