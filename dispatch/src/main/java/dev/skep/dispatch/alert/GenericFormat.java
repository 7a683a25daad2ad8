package dev.skep.dispatch.alert;

import dev.skep.dispatch.event.OrgEvent;
import dev.skep.kernel.id.OrgId;
import dev.skep.transport.route.Json;
import java.util.Map;
import java.util.TreeMap;

/** What programs read: JSON with a type, a time and data. */
final class GenericFormat implements MessageFormat {
    @Override
    public String of(Alert alert) {
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

    /** The event as streams send it, and its org. */
    @Override
    public String of(OrgId org, OrgEvent event) {
        Map<String, Object> data = new TreeMap<>(event.data());
        data.put("orgId", org.value());
        data.put("eventId", event.id());
        return Json.text(Map.of("type", event.type(), "timestamp", event.at(), "data", data));
    }
}
