package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.ServerId;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.kernel.id.HostId;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a queue in Redis keeps of a run, by the names of seed 3, as JSON. */
final class RunData {
    private RunData() {}

    static String of(Assignment run) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("jobId", run.job().value());
        data.put("jobRunId", run.run().value());
        data.put("hostId", run.host().value());
        data.put("serverInstanceId", run.server() == null ? "" : run.server().value());
        data.put("type", run.type());
        data.put("payload", run.payload());
        data.put("attempt", run.attempt());
        if (run.timeout() != null) {
            data.put("timeoutSeconds", run.timeout().toSeconds());
        }
        return Json.text(data);
    }

    static Assignment read(HostId host, String data) {
        JsonFields fields = Json.fields(data);
        String server = fields.text("serverInstanceId");
        return new Assignment(
                new JobId(fields.text("jobId")),
                new RunId(fields.text("jobRunId")),
                host,
                server.isEmpty() ? null : new ServerId(server),
                fields.text("type"),
                fields.longText("payload", Integer.MAX_VALUE),
                (int) fields.number("attempt"),
                fields.optionalNumber("timeoutSeconds").map(Duration::ofSeconds).orElse(null));
    }
}
