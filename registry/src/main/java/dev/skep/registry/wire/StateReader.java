package dev.skep.registry.wire;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.Ids;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeHistoryEntry;
import dev.skep.registry.node.NodeRegistration;
import dev.skep.registry.node.NodeStats;
import java.io.InputStream;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a state document piece by piece, and names the line and the field of an error. */
public final class StateReader {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final HostId host;
    private final Sink sink;
    private boolean known;
    private String where = "document";
    private int line = 1;

    /** Takes what is read. */
    public interface Sink {
        void node(Node node);

        void visit(NodeHistoryEntry nodeHistoryEntry);

        void stats(NodeStats stats);
    }

    private StateReader(HostId host, Sink sink) {
        this.host = host;
        this.sink = sink;
    }

    /** Reads a document as nodes of the host; throws at the first fault. */
    public static void read(InputStream in, HostId host, Sink sink) {
        StateReader reader = new StateReader(host, sink);
        try (JsonParser json = MAPPER.createParser(in)) {
            reader.document(json);
        } catch (JacksonException e) {
            int at = e.getLocation() == null ? reader.line : e.getLocation().getLineNr();
            throw new InvalidDocumentException(
                    "line %d: %s: not valid JSON: %s"
                            .formatted(at, reader.where, e.getOriginalMessage()));
        }
    }

    private void document(JsonParser json) {
        expect(json, json.nextToken(), JsonToken.START_OBJECT, "an object");
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String field = json.currentName();
            JsonToken value = json.nextToken();
            where = field;
            switch (field) {
                case "format" -> known = isFormat(json, value);
                case "version" -> version(json, value);
                case "nodes", "connections", "stats" -> list(json, field, value);
                // A later version may have more fields.
                default -> json.skipChildren();
            }
        }
        where = "document";
        if (!known) {
            throw bad("format must be \"%s\"".formatted(StateWriter.FORMAT));
        }
        if (json.nextToken() != null) {
            line = json.currentTokenLocation().getLineNr();
            throw bad("there is more after the end");
        }
    }

    private boolean isFormat(JsonParser json, JsonToken value) {
        line = json.currentTokenLocation().getLineNr();
        if (value != JsonToken.VALUE_STRING || !json.getString().equals(StateWriter.FORMAT)) {
            throw bad("must be \"%s\"".formatted(StateWriter.FORMAT));
        }
        return true;
    }

    private void version(JsonParser json, JsonToken value) {
        line = json.currentTokenLocation().getLineNr();
        if (value != JsonToken.VALUE_NUMBER_INT || json.getLongValue() != StateWriter.VERSION) {
            throw bad("must be %d; update skep to read a later one".formatted(StateWriter.VERSION));
        }
    }

    private void list(JsonParser json, String field, JsonToken value) {
        expect(json, value, JsonToken.START_ARRAY, "a list");
        for (int i = 0; json.nextToken() != JsonToken.END_ARRAY; i++) {
            where = field + "[" + i + "]";
            line = json.currentTokenLocation().getLineNr();
            expect(json, json.currentToken(), JsonToken.START_OBJECT, "an object");
            JsonNode item = json.readValueAsTree();
            switch (field) {
                case "nodes" -> sink.node(node(item));
                case "connections" -> sink.visit(visit(item));
                default -> sink.stats(stats(item));
            }
        }
    }

    private Node node(JsonNode item) {
        String id = text(item, "id");
        String machine = text(item, "machine");
        String cwd = text(item, "cwd");
        long port = number(item, "port", true);
        Long pid = item.path("pid").isMissingNode() ? null : number(item, "pid", true);
        try {
            NodeRegistration unused =
                    new NodeRegistration(id, machine, cwd, Math.toIntExact(port), pid);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw bad("id, machine, cwd, port or pid is too long, too large or cannot be stored");
        }
        Instant seen = time(item, "last_seen_at");
        return new Node(
                host,
                id,
                machine,
                cwd,
                (int) port,
                pid,
                oneOf(item, "status", Node.Status.class),
                time(item, "registered_at"),
                seen,
                item.path("offline_since").isMissingNode() ? null : time(item, "offline_since"),
                number(item, "reconnects", false));
    }

    private NodeHistoryEntry visit(JsonNode item) {
        String nodeId = text(item, "node_id");
        NodeHistoryEntry.Event event = oneOf(item, "event", NodeHistoryEntry.Event.class);
        Instant at = time(item, "ts");
        String peer = item.path("peer_addr").isMissingNode() ? null : text(item, "peer_addr");
        String id =
                item.path("id").isMissingNode()
                        ? Ids.derived(at, nodeId + " " + event)
                        : text(item, "id");
        if (!Ids.isUlid(id)) {
            throw bad("id must be a ULID, or left out");
        }
        return new NodeHistoryEntry(id, nodeId, event, at, peer);
    }

    private NodeStats stats(JsonNode item) {
        return new NodeStats(
                text(item, "node_id"),
                number(item, "messages_relayed", false),
                number(item, "proxy_sessions", false),
                number(item, "total_uptime_sec", false),
                number(item, "errors", false),
                null);
    }

    private String text(JsonNode item, String field) {
        JsonNode value = item.path(field);
        if (!value.isString() || value.stringValue().isEmpty()) {
            throw bad(field + " must be a text");
        }
        if (value.stringValue().indexOf('\0') >= 0) {
            throw bad(field + " cannot be stored");
        }
        return value.stringValue();
    }

    private long number(JsonNode item, String field, boolean required) {
        JsonNode value = item.path(field);
        if (value.isMissingNode() && !required) {
            return 0;
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw bad(field + " must be a whole number, not negative");
        }
        return value.longValue();
    }

    private Instant time(JsonNode item, String field) {
        try {
            return Instant.parse(text(item, field)).truncatedTo(ChronoUnit.MICROS);
        } catch (DateTimeParseException e) {
            throw bad(field + " must be a time like 2027-01-31T12:00:00Z");
        }
    }

    private <E extends Enum<E>> E oneOf(JsonNode item, String field, Class<E> type) {
        String value = text(item, field);
        for (E each : type.getEnumConstants()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(value)) {
                return each;
            }
        }
        throw bad(field + " is \"" + value + "\", which it cannot be");
    }

    private void expect(
            JsonParser json, @Nullable JsonToken token, JsonToken expected, String what) {
        line = json.currentTokenLocation().getLineNr();
        if (token != expected) {
            throw bad("must be " + what);
        }
    }

    private InvalidDocumentException bad(String what) {
        return new InvalidDocumentException("line %d: %s: %s".formatted(line, where, what));
    }
}
