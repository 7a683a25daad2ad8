package dev.skep.models.gateway;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A request's body: its bytes, what they say, and where each value of the upper levels stands, so
 * that single values can be replaced without touching another byte.
 */
final class CallBody {
    /** The bytes of one value. */
    record Span(int from, int to) {
        int length() {
            return to - from;
        }
    }

    private static final int DEEPEST_PLACE = 3;
    private static final int LONGEST_STRING = 64 << 20;

    static final JsonMapper JSON =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    // Of two members of one name nobody knows which one counts.
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxStringLength(LONGEST_STRING)
                                                    .build())
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private final byte[] bytes;
    private final JsonNode root;
    private final Map<String, Span> places = new HashMap<>();
    private final List<Span> conversation = new ArrayList<>();

    private CallBody(byte[] bytes, JsonNode root) {
        this.bytes = bytes;
        this.root = root;
    }

    static CallBody read(byte[] bytes, String conversation) throws RefusedCall {
        try {
            JsonNode root = JSON.readTree(bytes);
            if (!root.isObject() || bytes[0] < 0) {
                throw new RefusedCall("the body is not a JSON object");
            }
            CallBody body = new CallBody(bytes, root);
            body.locate(conversation);
            return body;
        } catch (JacksonException | ArrayIndexOutOfBoundsException e) {
            throw new RefusedCall("the body is not JSON that can be relied on");
        }
    }

    byte[] bytes() {
        return bytes;
    }

    JsonNode root() {
        return root;
    }

    /** Names with slashes between them; null for what is not there. */
    @Nullable Span place(String path) {
        return places.get(path);
    }

    /** Where each entry of the conversation stands. */
    List<Span> conversation() {
        return conversation;
    }

    private void locate(String growing) {
        Deque<String> path = new ArrayDeque<>();
        Deque<Integer> begun = new ArrayDeque<>();
        int depth = 0;
        try (JsonParser parser = JSON.createParser(bytes)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                switch (token) {
                    case PROPERTY_NAME -> {}
                    case START_OBJECT, START_ARRAY -> {
                        path.addLast(name(parser, depth));
                        begun.addLast(offset(parser.currentTokenLocation().getByteOffset()));
                        depth++;
                    }
                    case END_OBJECT, END_ARRAY -> {
                        depth--;
                        int from = begun.removeLast();
                        found(path, depth, from, parser, growing);
                        path.removeLast();
                    }
                    default -> {
                        int from = offset(parser.currentTokenLocation().getByteOffset());
                        if (depth <= DEEPEST_PLACE) {
                            path.addLast(name(parser, depth));
                            parser.getString();
                            found(path, depth, from, parser, growing);
                            path.removeLast();
                        }
                    }
                }
            }
        }
    }

    private static String name(JsonParser parser, int depth) {
        String name = parser.currentName();
        return depth == 0 || name == null ? "" : name;
    }

    private void found(Deque<String> path, int depth, int from, JsonParser parser, String growing) {
        if (depth > DEEPEST_PLACE) {
            return;
        }
        Span span = new Span(from, offset(parser.currentLocation().getByteOffset()));
        List<String> names = List.copyOf(path).subList(1, path.size());
        if (depth == 2 && names.equals(List.of(growing, ""))) {
            conversation.add(span);
        }
        if (!names.contains("")) {
            places.put(String.join("/", names), span);
        }
    }

    private static int offset(long offset) {
        return Math.toIntExact(offset);
    }
}
