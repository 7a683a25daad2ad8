package dev.skep.registry.wire;

import dev.skep.kernel.row.Timestamps;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeHistoryEntry;
import dev.skep.registry.node.NodeStats;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the frames the registry sends: answers, and events for all clients. */
public final class RegistryFrames {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String PROTOCOL_VERSION = "1";

    private RegistryFrames() {}

    public static String answer(@Nullable String id, RegistryResult result) {
        return withId(id).set("result", result.value()).toString();
    }

    public static String refusal(@Nullable String id, String error) {
        return withId(id).put("error", error).toString();
    }

    private static ObjectNode withId(@Nullable String id) {
        ObjectNode frame = object();
        return id == null ? frame : frame.put("id", id);
    }

    /** The error for a dashboard whose agent the proxy cannot reach. */
    public static String error(String error) {
        return object().put("error", error).toString();
    }

    public static String init(Collection<Node> nodes) {
        return event("init")
                .set("nodes", nodes(nodes))
                .put("protocol_version", PROTOCOL_VERSION)
                .toString();
    }

    public static String joined(Node node) {
        return event("node_joined").set("node", node(node)).toString();
    }

    public static String updated(Node node) {
        return event("node_updated").set("node", node(node)).toString();
    }

    public static String offline(Node node) {
        return event("node_offline").put("id", node.id()).toString();
    }

    public static String removed(Node node) {
        return event("node_removed").put("id", node.id()).toString();
    }

    public static String statsEvent(Collection<NodeStats> stats) {
        return event("node_stats").set("stats", statsList(stats)).toString();
    }

    private static ObjectNode event(String name) {
        return object().put("event", name);
    }

    public static RegistryResult status(String status) {
        return new RegistryResult(object().put("status", status));
    }

    /** It is so, but a restart would not know it. */
    public static RegistryResult notStored(String status) {
        return new RegistryResult(
                object().put("status", status)
                        .put("warning", "not stored yet: the registry cannot write now"));
    }

    public static RegistryResult spawning(Path folder) {
        return new RegistryResult(
                object().put("status", "spawning").put("path", folder.toString()));
    }

    public static RegistryResult healthy(int nodes, String version) {
        return new RegistryResult(
                object().put("status", "healthy").put("nodes", nodes).put("version", version));
    }

    public static RegistryResult imported(int count) {
        return new RegistryResult(object().put("imported", count));
    }

    public static RegistryResult roster(Collection<Node> nodes) {
        return new RegistryResult(nodes(nodes));
    }

    private static ArrayNode nodes(Collection<Node> nodes) {
        ArrayNode array = MAPPER.createArrayNode();
        nodes.forEach(node -> array.add(node(node)));
        return array;
    }

    /** Epoch seconds under the protocol's names, ISO-8601 under ours. */
    private static ObjectNode node(Node node) {
        ObjectNode object =
                object().put("id", node.id())
                        .put("machine", node.machine())
                        .put("cwd", node.cwd())
                        .put("port", node.port())
                        .put("status", node.status().stored())
                        .put("last_seen", node.lastSeenAt().getEpochSecond());
        Instant offlineSince = node.offlineSince();
        if (offlineSince != null) {
            object.put("offline_since", offlineSince.getEpochSecond());
            object.put("offline_since_at", Timestamps.format(offlineSince));
        }
        if (node.pid() != null) {
            object.put("pid", node.pid());
        }
        return object.put("registered_at", Timestamps.format(node.registeredAt()))
                .put("last_seen_at", Timestamps.format(node.lastSeenAt()))
                .put("host_id", node.host().value())
                .put("reconnects", node.reconnects());
    }

    public static RegistryResult directories(Path current, List<String> names) {
        ArrayNode array = MAPPER.createArrayNode();
        names.forEach(array::add);
        return new RegistryResult(
                object().put("current", current.toString()).set("directories", array));
    }

    public static RegistryResult visits(
            List<NodeHistoryEntry> nodeHistoryEntries, boolean hasMore) {
        ArrayNode array = MAPPER.createArrayNode();
        for (NodeHistoryEntry nodeHistoryEntry : nodeHistoryEntries) {
            array.add(
                    object().put("id", nodeHistoryEntry.id())
                            .put("event", nodeHistoryEntry.event().stored())
                            .put("ts", Timestamps.format(nodeHistoryEntry.at()))
                            .put("peer_addr", nodeHistoryEntry.peer()));
        }
        return new RegistryResult(object().set("connections", array).put("has_more", hasMore));
    }

    public static RegistryResult stats(NodeStats stats) {
        return new RegistryResult(counts(stats));
    }

    private static ObjectNode counts(NodeStats stats) {
        return object().put("node_id", stats.nodeId())
                .put("messages_relayed", stats.messagesRelayed())
                .put("proxy_sessions", stats.proxySessions())
                .put("total_uptime_sec", stats.totalUptimeSeconds())
                .put("errors", stats.errors());
    }

    public static RegistryResult allStats(Collection<NodeStats> stats) {
        return new RegistryResult(object().set("stats", statsList(stats)));
    }

    private static ArrayNode statsList(Collection<NodeStats> stats) {
        ArrayNode array = MAPPER.createArrayNode();
        stats.forEach(each -> array.add(counts(each)));
        return array;
    }

    private static ObjectNode object() {
        return MAPPER.createObjectNode();
    }
}
