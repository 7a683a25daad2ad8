package dev.skep.dispatch.alert;

import dev.skep.dispatch.event.OrgEvent;
import dev.skep.kernel.id.OrgId;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Subject and plain text, from which the message is written when it is handed in. */
final class EmailFormat implements MessageFormat {
    private static final int LONGEST = 200_000;

    /** What was made of a reason. */
    record Letter(String subject, String text) {
        static Letter of(String body) {
            JsonFields fields = Json.fields(body);
            return new Letter(fields.text("subject"), fields.longText("text", LONGEST));
        }
    }

    @Override
    public String of(Alert alert, String link) {
        return letter(alert.kind().title(), List.of(paragraph("", alert.message(), link)));
    }

    @Override
    public String of(OrgId org, OrgEvent event) {
        return letter(event.type(), List.of(Json.text(event.data())));
    }

    @Override
    public String of(Digest digest) {
        List<String> paragraphs =
                digest.items().stream()
                        .map(item -> paragraph(item.heading() + "\n", item.text(), item.link()))
                        .collect(Collectors.toList());
        if (digest.more() > 0) {
            paragraphs.add("And %d more.".formatted(digest.more()));
        }
        paragraphs.add(
                "A link shows what happened to whoever is signed in; it decides nothing.\n"
                        + "What tells you is chosen in Settings, Notifications.");
        return letter(digest.title(), paragraphs);
    }

    private static String letter(String title, List<String> paragraphs) {
        return Json.text(
                Map.of(
                        "subject",
                        "Skep: " + title,
                        "text",
                        String.join("\n\n", paragraphs) + "\n"));
    }

    private static String paragraph(String head, String text, String link) {
        return head + text + (link.isEmpty() ? "" : "\n" + link);
    }
}
