package dev.skep.dispatch.alert;

import dev.skep.dispatch.event.OrgEvent;
import dev.skep.kernel.id.OrgId;
import dev.skep.transport.route.Json;
import java.util.Map;
import java.util.TreeMap;

/** What programs read: JSON with a type, a time and data. */
final class GenericFormat implements MessageFormat {
    @Override
    public String of(Alert alert, String link) {
        Map<String, Object> data = new TreeMap<>();
        data.put("alertId", alert.id());
        data.put("orgId", alert.org().value());
        data.put("subject", alert.subject());
        data.put("message", alert.message());
        if (!link.isEmpty()) {
            data.put("link", link);
        }
        return Json.text(
                Map.of("type", alert.kind().name(), "timestamp", alert.at(), "data", data));
    }

    /** The event as streams send it, and its org. */
    @Override
    public String of(OrgId org, OrgEvent event) {
        Map<String, Object> data = new TreeMap<>(event.data());
        data.put("orgId", org.value());
        data.put("eventId", event.id());
        return Json.text(Map.of("type", event.type(), "timestamp", event.at(), "data", data));
    }

    @Override
    public String of(Digest digest) {
        return Json.text(
                Map.of(
                        "type",
                        "notification",
                        "timestamp",
                        digest.at(),
                        "data",
                        Map.of(
                                "orgId",
                                digest.org().value(),
                                "title",
                                digest.title(),
                                "items",
                                digest.items(),
                                "more",
                                digest.more())));
    }
}
