package dev.skep.dispatch.routes;

import dev.skep.dispatch.queue.Assignment;
import dev.skep.transport.route.Json;
import java.util.Map;
import java.util.TreeMap;

/** A run as JSON for its host. */
final class AssignmentJson {
    private AssignmentJson() {}

    static Map<String, Object> of(Assignment run) {
        Map<String, Object> told = new TreeMap<>();
        told.put("jobId", run.job().value());
        told.put("jobRunId", run.run().value());
        told.put("hostId", run.host().value());
        told.put("type", run.type());
        told.put("attempt", run.attempt());
        Object payload = Json.raw(run.payload());
        told.put("payload", payload == null ? Map.of() : payload);
        if (run.server() != null) {
            told.put("serverInstanceId", run.server().value());
        }
        if (run.timeout() != null) {
            told.put("timeoutSeconds", run.timeout().toSeconds());
        }
        return told;
    }
}
