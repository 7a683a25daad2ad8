package dev.skep.dispatch.alert;

import dev.skep.dispatch.event.OrgEvent;
import dev.skep.kernel.id.OrgId;
import dev.skep.transport.route.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Blocks for an incoming webhook of Slack, whose texts mention and link nothing by themselves. */
final class SlackFormat implements MessageFormat {
    /** Slack's limit on the text of a section is 3,000 characters, escapes included. */
    private static final int SECTION = 2_900;

    private static final int FALLBACK = 300;

    @Override
    public String of(Alert alert, String link) {
        return message(
                alert.kind().title(),
                List.of(
                        section(
                                "*" + escaped(alert.kind().title()) + "*\n",
                                alert.message(),
                                link)));
    }

    @Override
    public String of(OrgId org, OrgEvent event) {
        String text =
                event.data().entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .collect(Collectors.joining("\n"));
        return message(
                event.type(), List.of(section("*" + escaped(event.type()) + "*\n", text, "")));
    }

    @Override
    public String of(Digest digest) {
        List<Map<String, Object>> blocks = new ArrayList<>();
        digest.items()
                .forEach(
                        item ->
                                blocks.add(
                                        section(
                                                "*" + escaped(item.heading()) + "*\n",
                                                item.text(),
                                                item.link())));
        if (digest.more() > 0) {
            blocks.add(section("", "and %d more".formatted(digest.more()), ""));
        }
        return message(digest.title(), blocks);
    }

    private static String message(String title, List<Map<String, Object>> blocks) {
        return Json.text(
                Map.of(
                        "text",
                        cut(escaped(title), FALLBACK),
                        "blocks",
                        blocks,
                        "unfurl_links",
                        false,
                        "unfurl_media",
                        false));
    }

    private static Map<String, Object> section(String head, String text, String link) {
        String open = link.isEmpty() ? "" : "\n<" + link + "|Open>";
        String body = cut(escaped(text), SECTION - head.length() - open.length());
        return Map.of(
                "type",
                "section",
                "text",
                // Verbatim: what looks like a link or a name in the text stays text.
                Map.of("type", "mrkdwn", "text", head + body + open, "verbatim", true));
    }

    /** The three characters that Slack reads as its own, and those that begin a format. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                // No escape is known for these: look-alikes keep commands readable and unformatted.
                .replace("`", "\u02cb")
                .replace("*", "\u2217");
    }

    private static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = longest - 1;
        // Not within an escape or a pair of surrogates.
        int escape = text.lastIndexOf('&', end);
        if (escape >= 0 && escape > end - 5 && text.indexOf(';', escape) >= end) {
            end = escape;
        }
        if (Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end) + "…";
    }
}
