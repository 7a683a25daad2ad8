package dev.skep.wire.call;

import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/**
 * A run that a hub hands to its host: everything needed to execute it.
 *
 * @param payload a JSON object, whose fields depend on the type
 */
public record RunAssignment(
        String jobId,
        String runId,
        Optional<String> hostId,
        Optional<String> serverInstanceId,
        String type,
        String payload,
        int attempt,
        Optional<Duration> timeout) {

    public String json() {
        return CallJson.object(this::write);
    }

    void write(JsonGenerator json) {
        json.writeStringProperty("jobId", jobId);
        json.writeStringProperty("runId", runId);
        // For hosts of earlier versions, which know it by this name.
        json.writeStringProperty("jobRunId", runId);
        hostId.ifPresent(id -> json.writeStringProperty("hostId", id));
        serverInstanceId.ifPresent(id -> json.writeStringProperty("serverInstanceId", id));
        json.writeStringProperty("type", type);
        CallJson.raw(json, "payload", payload);
        json.writeNumberProperty("attempt", attempt);
        timeout.ifPresent(limit -> json.writeNumberProperty("timeoutSeconds", limit.toSeconds()));
    }

    static RunAssignment read(MessageFields fields) {
        boolean hasPayload = fields.object("payload").isPresent();
        return new RunAssignment(
                fields.text("jobId"),
                // A hub of an earlier version says jobRunId only.
                fields.optionalText("runId").orElseGet(() -> fields.text("jobRunId")),
                fields.optionalText("hostId"),
                fields.optionalText("serverInstanceId"),
                fields.text("type"),
                hasPayload ? fields.json("payload").orElseThrow() : "{}",
                (int) fields.number("attempt"),
                fields.optionalNumber("timeoutSeconds").map(Duration::ofSeconds));
    }
}
