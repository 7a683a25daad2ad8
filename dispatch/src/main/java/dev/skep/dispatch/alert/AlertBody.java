package dev.skep.dispatch.alert;

import dev.skep.transport.route.Json;
import java.util.List;
import java.util.Map;

/** An alert as each kind of channel wants it. */
final class AlertBody {
    /** Discord's limits on an embed's title, description and field. */
    private static final int TITLE = 256;

    private static final int DESCRIPTION = 4_096;
    private static final int FIELD = 1_024;

    private AlertBody() {}

    static String of(Webhook.Kind kind, Alert alert) {
        return switch (kind) {
            case GENERIC -> generic(alert);
            case DISCORD -> discord(alert);
        };
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
        Map<String, Object> embed =
                Map.of(
                        "title",
                        cut(alert.kind().title(), TITLE),
                        "description",
                        cut(alert.message(), DESCRIPTION),
                        "color",
                        alert.kind().colour(),
                        "timestamp",
                        alert.at().toString(),
                        "fields",
                        List.of(
                                Map.of(
                                        "name",
                                        "Subject",
                                        "value",
                                        cut(alert.subject(), FIELD),
                                        "inline",
                                        true)));
        // No mentions: a host's name must not be able to wake a whole server.
        return Json.text(
                Map.of("embeds", List.of(embed), "allowed_mentions", Map.of("parse", List.of())));
    }

    private static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
    }
}
