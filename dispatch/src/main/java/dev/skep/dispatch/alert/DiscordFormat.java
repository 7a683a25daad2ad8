package dev.skep.dispatch.alert;

import dev.skep.dispatch.event.OrgEvent;
import dev.skep.kernel.id.OrgId;
import dev.skep.transport.route.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Embeds for a channel of Discord. */
final class DiscordFormat implements MessageFormat {
    /** Discord's limits on an embed's title, description and field. */
    private static final int TITLE = 256;

    private static final int DESCRIPTION = 4_096;
    private static final int FIELD = 1_024;

    /** All embeds of a message may have 6,000 characters together, titles included. */
    private static final int ONE_OF_TEN = 500;

    private static final Pattern MARKS = Pattern.compile("[\\\\*_`~|\\[\\]()<>#@]");
    private static final int PERSON_COLOUR = 0x3F_7F_E0;
    private static final int EVENT_COLOUR = 0x7F_7F_7F;

    @Override
    public String of(Alert alert, String link) {
        return message(
                List.of(
                        embed(
                                alert.kind().title(),
                                cut(alert.message(), DESCRIPTION),
                                alert.kind().colour(),
                                alert.at(),
                                link,
                                field("Subject", alert.subject()))));
    }

    @Override
    public String of(OrgId org, OrgEvent event) {
        return message(
                List.of(
                        embed(
                                event.type(),
                                cut(said(event), DESCRIPTION),
                                EVENT_COLOUR,
                                event.at(),
                                "",
                                field("Event", event.id()))));
    }

    /** One embed for each reason; there are never more than ten items. */
    @Override
    public String of(Digest digest) {
        List<Map<String, Object>> embeds = new ArrayList<>();
        digest.items()
                .forEach(
                        item ->
                                embeds.add(
                                        embed(
                                                item.heading(),
                                                cut(plain(item.text()), ONE_OF_TEN),
                                                PERSON_COLOUR,
                                                item.at(),
                                                item.link(),
                                                List.of())));
        if (digest.items().size() + digest.more() == 1) {
            return message(embeds);
        }
        // Words of ours alone: how many of each kind.
        return message(
                embeds,
                digest.more() > 0
                        ? "%s, and %d more than here".formatted(digest.title(), digest.more())
                        : digest.title());
    }

    /** Without what would make a format or a link of it: it comes from elsewhere. */
    private static String plain(String text) {
        return MARKS.matcher(text).replaceAll("\\\\$0");
    }

    private static String said(OrgEvent event) {
        return event.data().entrySet().stream()
                // The same as runId, under an earlier name.
                .filter(each -> !each.getKey().equals("jobRunId"))
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining("\n"));
    }

    private static Map<String, Object> embed(
            String title,
            String text,
            int colour,
            Instant at,
            String link,
            List<Map<String, Object>> fields) {
        Map<String, Object> embed = new TreeMap<>();
        embed.put("title", cut(title, TITLE));
        embed.put("description", text);
        embed.put("color", colour);
        embed.put("timestamp", at.toString());
        embed.put("fields", fields);
        if (!link.isEmpty()) {
            embed.put("url", link);
        }
        return embed;
    }

    private static List<Map<String, Object>> field(String name, String value) {
        return List.of(Map.of("name", name, "value", cut(value, FIELD), "inline", true));
    }

    private static String message(List<Map<String, Object>> embeds) {
        return message(embeds, "");
    }

    private static String message(List<Map<String, Object>> embeds, String content) {
        Map<String, Object> message = new TreeMap<>();
        message.put("embeds", embeds);
        // No mentions: a host's name must not be able to wake a whole server.
        message.put("allowed_mentions", Map.of("parse", List.of()));
        if (!content.isEmpty()) {
            message.put("content", content);
        }
        return Json.text(message);
    }

    private static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
    }
}
