package dev.skep.dispatch.job;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.job.JobKind;
import dev.skep.transport.route.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job by which a person makes, changes, removes or restores an agent of a host.
 *
 * @param agent the agent's name
 * @param agentId its id; null for one that is to be made
 * @param version what the person saw when they decided it; a host refuses it for any other
 * @param file the text that the agent's file is to have
 * @param by who asked for it, as people call them
 * @param restart whether an agent at work begins anew with the file
 * @param discardWork whether a removed agent's workspace goes with work that is nowhere else
 */
public record AgentFileJob(
        JobKind kind,
        String agent,
        @Nullable String agentId,
        @Nullable String version,
        @Nullable String file,
        String by,
        @Nullable String reason,
        boolean restart,
        boolean discardWork) {
    /** Before other work of the host: a person waits for it. */
    private static final int PRIORITY = 100;

    public NewJob on(HostId host) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("agent", agent);
        put(payload, "agentId", agentId);
        put(payload, "version", version);
        put(payload, "file", file);
        payload.put("by", by);
        put(payload, "reason", reason);
        if (restart) {
            payload.put("restart", true);
        }
        if (discardWork) {
            payload.put("discardWork", true);
        }
        return NewJob.plain(host, kind.type(), Json.text(payload)).withPriority(PRIORITY);
    }

    private static void put(Map<String, Object> payload, String name, @Nullable String value) {
        if (value != null) {
            payload.put(name, value);
        }
    }
}
