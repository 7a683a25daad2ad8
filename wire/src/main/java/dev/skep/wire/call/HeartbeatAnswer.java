package dev.skep.wire.call;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a hub answers to a heartbeat.
 *
 * @param interval how long until the next
 * @param orders what to do about each run that the heartbeat named, by the id of the run
 */
public record HeartbeatAnswer(Duration interval, Map<String, RunOrder> orders) {

    /** What a host does about a run that it holds; on the wire by its lower-case name. */
    public enum RunOrder {
        /** Go on. */
        RENEWED,
        /** Stop it and report that. */
        CANCEL,
        /** Stop it; no report is expected. */
        GONE;

        private String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        private static RunOrder of(String label) {
            return Arrays.stream(values())
                    .filter(order -> order.label().equals(label))
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new SkepException(
                                            ErrorCode.BAD_REQUEST,
                                            "field 'do' must be renewed, cancel or gone"));
        }
    }

    public String json() {
        return CallJson.object(
                json -> {
                    json.writeNumberProperty("intervalSeconds", interval.toSeconds());
                    CallJson.array(
                            json,
                            "runs",
                            orders.entrySet(),
                            (each, order) -> {
                                each.writeStringProperty("runId", order.getKey());
                                each.writeStringProperty("do", order.getValue().label());
                            });
                });
    }

    static HeartbeatAnswer read(MessageFields fields) {
        Map<String, RunOrder> orders = new LinkedHashMap<>();
        fields.list("runs")
                .forEach(run -> orders.put(run.text("runId"), RunOrder.of(run.text("do"))));
        return new HeartbeatAnswer(Duration.ofSeconds(fields.number("intervalSeconds")), orders);
    }
}
