package dev.skep.registry.wire;

import dev.skep.kernel.row.Timestamps;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeHistoryEntry;
import dev.skep.registry.node.NodeStats;
import java.io.OutputStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.util.MinimalPrettyPrinter;
import tools.jackson.databind.json.JsonMapper;

/** Writes a state document piece by piece: nodes, then connections, then stats; a line each. */
public final class StateWriter implements AutoCloseable {
    static final String FORMAT = "skep-registry-state";
    static final long VERSION = 1;

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final PrettyPrinter LINES =
            new MinimalPrettyPrinter("\n") {
                private static final long serialVersionUID = 1L;

                @Override
                public void writeArrayValueSeparator(JsonGenerator generator) {
                    generator.writeRaw(",\n");
                }

                @Override
                public void beforeArrayValues(JsonGenerator generator) {
                    generator.writeRaw('\n');
                }
            };

    private final JsonGenerator json;

    public StateWriter(OutputStream out, Instant now) {
        json = MAPPER.writer().with(LINES).createGenerator(out);
        json.writeStartObject();
        json.writeStringProperty("format", FORMAT);
        json.writeNumberProperty("version", VERSION);
        json.writeStringProperty("exported_at", Timestamps.format(now));
        json.writeArrayPropertyStart("nodes");
    }

    public void node(Node node) {
        json.writeStartObject();
        json.writeStringProperty("id", node.id());
        json.writeStringProperty("machine", node.machine());
        json.writeStringProperty("cwd", node.cwd());
        json.writeNumberProperty("port", node.port());
        if (node.pid() != null) {
            json.writeNumberProperty("pid", node.pid());
        }
        json.writeStringProperty("status", node.status().stored());
        json.writeStringProperty("registered_at", Timestamps.format(node.registeredAt()));
        json.writeStringProperty("last_seen_at", Timestamps.format(node.lastSeenAt()));
        time("offline_since", node.offlineSince());
        json.writeNumberProperty("reconnects", node.reconnects());
        json.writeEndObject();
    }

    public void connections() {
        json.writeEndArray();
        json.writeArrayPropertyStart("connections");
    }

    public void visit(NodeHistoryEntry nodeHistoryEntry) {
        json.writeStartObject();
        json.writeStringProperty("id", nodeHistoryEntry.id());
        json.writeStringProperty("node_id", nodeHistoryEntry.nodeId());
        json.writeStringProperty("event", nodeHistoryEntry.event().stored());
        json.writeStringProperty("ts", Timestamps.format(nodeHistoryEntry.at()));
        if (nodeHistoryEntry.peer() != null) {
            json.writeStringProperty("peer_addr", nodeHistoryEntry.peer());
        }
        json.writeEndObject();
    }

    public void stats() {
        json.writeEndArray();
        json.writeArrayPropertyStart("stats");
    }

    public void stats(NodeStats stats) {
        json.writeStartObject();
        json.writeStringProperty("node_id", stats.nodeId());
        json.writeNumberProperty("messages_relayed", stats.messagesRelayed());
        json.writeNumberProperty("proxy_sessions", stats.proxySessions());
        json.writeNumberProperty("total_uptime_sec", stats.totalUptimeSeconds());
        json.writeNumberProperty("errors", stats.errors());
        json.writeEndObject();
    }

    private void time(String name, @Nullable Instant instant) {
        if (instant != null) {
            json.writeStringProperty(name, Timestamps.format(instant));
        }
    }

    /** Ends the document; what it was written to stays open. */
    @Override
    public void close() {
        json.writeEndArray();
        json.writeEndObject();
        json.writeRaw('\n');
        json.flush();
    }
}
