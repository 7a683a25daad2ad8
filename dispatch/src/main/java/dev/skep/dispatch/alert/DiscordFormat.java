package dev.skep.dispatch.alert;

import dev.skep.dispatch.event.OrgEvent;
import dev.skep.kernel.id.OrgId;
import dev.skep.transport.route.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Embeds for a channel of Discord. */
final class DiscordFormat implements MessageFormat {
    /** Discord's limits on an embed's title, description and field. */
    private static final int TITLE = 256;

    private static final int DESCRIPTION = 4_096;
    private static final int FIELD = 1_024;
    private static final int EVENT_COLOUR = 0x7F_7F_7F;

    @Override
    public String of(Alert alert) {
        return embed(
                alert.kind().title(),
                alert.message(),
                alert.kind().colour(),
                alert.at(),
                "Subject",
                alert.subject());
    }

    @Override
    public String of(OrgId org, OrgEvent event) {
        return embed(event.type(), said(event), EVENT_COLOUR, event.at(), "Event", event.id());
    }

    private static String said(OrgEvent event) {
        return event.data().entrySet().stream()
                // The same as runId, under an earlier name.
                .filter(each -> !each.getKey().equals("jobRunId"))
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining("\n"));
    }

    private static String embed(
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
