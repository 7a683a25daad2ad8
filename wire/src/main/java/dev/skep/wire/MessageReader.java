package dev.skep.wire;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads messages in one pass: fields are collected whatever their order, and the type, wherever it
 * is, decides at the end which message they form. Fields of later versions are skipped.
 */
final class MessageReader {
    private final RowReader rows;

    MessageReader(RowReader rows) {
        this.rows = rows;
    }

    Message read(byte[] json) {
        try (JsonParser in = WireJson.parser(json)) {
            WireJson.expect(in.nextToken(), JsonToken.START_OBJECT, "a message");
            Fields fields = fields(in, json);
            if (in.nextToken() != null) {
                throw new MalformedMessageException("something follows the message");
            }
            return message(fields);
        }
    }

    private static Message message(Fields f) {
        return switch (f.text("type")) {
            case "catch_up" ->
                    new Message.CatchUp(
                            f.text("host_id"),
                            f.count("schema_version"),
                            f.protocol(0),
                            f.protocol(1),
                            f.position("lastSyncedFromHub"),
                            f.position("hub_head"),
                            f.seen());
            case "catch_up_response" ->
                    new Message.CatchUpResponse(
                            f.rows(),
                            f.position("cursor"),
                            f.position("hub_head"),
                            f.flag("has_more"),
                            f.flag("want_seen"));
            case "sync_request" -> syncRequest(f);
            case "sync_response" ->
                    new Message.SyncResponse(
                            f.number("req_id"),
                            f.text("host_id"),
                            f.rows(),
                            f.position("upto"),
                            f.position("head"),
                            f.flag("has_more"),
                            f.position("applied"),
                            f.flag("healed"));
            case "sync_available" -> new Message.SyncAvailable();
            case "sync_error" ->
                    new Message.SyncError(
                            f.text("error"),
                            f.numberOrNull("expected"),
                            f.numberOrNull("actual"),
                            f.text("message"));
            default -> throw new MalformedMessageException("unknown type of message");
        };
    }

    private static Message.SyncRequest syncRequest(Fields f) {
        Fields forwards = f.object("forwards");
        Fields heal = f.object("heal");
        return new Message.SyncRequest(
                f.number("req_id"),
                f.count("schema_version"),
                f.position("since"),
                f.flag("ahead"),
                f.numberOrZero("page_bytes"),
                f.positionOr("kept", f.position("since")),
                f.position("head"),
                f.epochs(),
                forwards == null
                        ? null
                        : new Message.Forwards(
                                forwards.rows(),
                                forwards.position("cursor"),
                                forwards.position("hub_head")),
                heal == null
                        ? null
                        : new Message.Heal(
                                heal.rows(), heal.position("head"), heal.flag("has_more")),
                f.objects("rejects").stream()
                        .map(
                                r ->
                                        new Message.Reject(
                                                r.text("table"),
                                                r.text("key"),
                                                r.text("reason"),
                                                r.text("message")))
                        .toList(),
                f.objects("grants").stream()
                        .map(g -> new Message.Grant(g.text("user_id"), g.number("gen")))
                        .toList());
    }

    private Fields fields(JsonParser in, byte[] source) {
        Map<String, Object> values = new HashMap<>();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            in.nextToken();
            Object value =
                    switch (name) {
                        case "type", "host_id", "error", "message", "table", "key", "reason" ->
                                WireJson.text(in, name);
                        case "user_id" -> WireJson.text(in, name);
                        case "lastSyncedFromHub", "hub_head", "cursor", "since", "head" ->
                                WireJson.position(in, name);
                        case "upto", "applied", "kept" -> WireJson.position(in, name);
                        case "has_more", "want_seen", "healed", "ahead" -> WireJson.flag(in, name);
                        case "schema_version",
                                "req_id",
                                "page_bytes",
                                "expected",
                                "actual",
                                "gen" ->
                                WireJson.number(in, name);
                        case "protocol" -> numbers(in);
                        case "seen" -> seen(in);
                        case "tables" -> rows.read(in, source);
                        case "forwards", "heal" -> object(in, source, name);
                        case "rejects", "grants" -> objects(in, source, name);
                        default -> in.skipChildren();
                    };
            if (!(value instanceof JsonParser) && values.put(name, value) != null) {
                throw new MalformedMessageException("a field appears twice");
            }
        }
        WireJson.expect(in.currentToken(), JsonToken.END_OBJECT, "a message");
        return new Fields(values);
    }

    private Fields object(JsonParser in, byte[] source, String name) {
        WireJson.expect(in.currentToken(), JsonToken.START_OBJECT, name);
        return fields(in, source);
    }

    private List<Fields> objects(JsonParser in, byte[] source, String name) {
        WireJson.expect(in.currentToken(), JsonToken.START_ARRAY, name);
        List<Fields> all = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            all.add(object(in, source, name));
        }
        return all;
    }

    private static List<Long> numbers(JsonParser in) {
        WireJson.expect(in.currentToken(), JsonToken.START_ARRAY, "protocol");
        List<Long> all = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            all.add(WireJson.number(in, "protocol"));
        }
        return all;
    }

    /** Either {@code {host: {epoch: n}}} or, about the receiver itself, {@code {epoch: n}}. */
    private static Seen seen(JsonParser in) {
        WireJson.expect(in.currentToken(), JsonToken.START_OBJECT, "seen");
        Map<String, Map<Long, Long>> byHost = new HashMap<>();
        Map<Long, Long> own = new HashMap<>();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            if (in.nextToken() == JsonToken.VALUE_NUMBER_INT) {
                own.put(WireJson.position(name, "seen"), in.getLongValue());
            } else {
                WireJson.expect(in.currentToken(), JsonToken.START_OBJECT, "seen");
                Map<Long, Long> epochs = new HashMap<>();
                for (String epoch = in.nextName(); epoch != null; epoch = in.nextName()) {
                    in.nextToken();
                    epochs.put(WireJson.position(epoch, "seen"), WireJson.number(in, "seen"));
                }
                byHost.put(name, epochs);
            }
        }
        return new Seen(byHost, own);
    }

    private record Seen(Map<String, Map<Long, Long>> byHost, Map<Long, Long> own) {}

    /** The fields of one object, each of the kind its name says. */
    private record Fields(Map<String, Object> values) {
        private <T> T get(String name, Class<T> kind) {
            T value = kind.cast(values.get(name));
            if (value == null) {
                throw new MalformedMessageException(name + " is missing");
            }
            return value;
        }

        String text(String name) {
            return get(name, String.class);
        }

        long number(String name) {
            return get(name, Long.class);
        }

        @Nullable Long numberOrNull(String name) {
            return (Long) values.get(name);
        }

        long numberOrZero(String name) {
            return values.get(name) instanceof Long number ? number : 0;
        }

        int count(String name) {
            long value = number(name);
            if (value < 0 || value > Integer.MAX_VALUE) {
                throw new MalformedMessageException(name + " is out of range");
            }
            return (int) value;
        }

        long position(String name) {
            return get(name, Long.class);
        }

        long positionOr(String name, long absent) {
            return values.containsKey(name) ? position(name) : absent;
        }

        boolean flag(String name) {
            return values.get(name) instanceof Boolean flag && flag;
        }

        MessageRows rows() {
            return values.get("tables") instanceof MessageRows rows ? rows : MessageRows.NONE;
        }

        int protocol(int at) {
            return values.get("protocol") instanceof List<?> range
                            && range.size() == 2
                            && range.get(at) instanceof Long version
                            && version >= 0
                            && version < 1_000_000
                    ? version.intValue()
                    : missingProtocol();
        }

        private static int missingProtocol() {
            throw new MalformedMessageException("protocol is not [min, max]");
        }

        Map<String, Map<Long, Long>> seen() {
            return values.get("seen") instanceof Seen seen ? seen.byHost : Map.of();
        }

        Map<Long, Long> epochs() {
            return values.get("seen") instanceof Seen seen ? seen.own : Map.of();
        }

        @Nullable Fields object(String name) {
            return (Fields) values.get(name);
        }

        @SuppressWarnings("unchecked") // only objects() puts values under these names
        List<Fields> objects(String name) {
            Object all = values.get(name);
            return all == null ? List.of() : (List<Fields>) all;
        }
    }
}
