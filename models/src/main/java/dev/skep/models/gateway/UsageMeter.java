package dev.skep.models.gateway;

import dev.skep.models.Usage;
import dev.skep.models.provider.ProviderProtocol;
import dev.skep.models.provider.StreamInspector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads what a passing answer says of its usage. Used by one thread. */
final class UsageMeter {
    /** The longest event, or answer that does not stream; beyond it nothing is known. */
    private static final int LONGEST = 32 << 20;

    private final GatewayWire wire;
    private final StreamInspector inspector;
    private final boolean streams;
    private final @Nullable OutputStream through;
    private ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private int lineLength;
    private boolean lost;
    private boolean refusedAtOnce;
    private boolean generated;

    /**
     * Reads nothing yet.
     *
     * @param through where events go on to when the one with the usage is not wanted there; null if
     *     the caller passes all bytes on itself
     */
    UsageMeter(GatewayWire wire, boolean streams, @Nullable OutputStream through) {
        this.wire = wire;
        this.streams = streams;
        this.through = through;
        this.inspector =
                switch (wire) {
                    case ANTHROPIC -> StreamInspector.of(ProviderProtocol.ANTHROPIC);
                    case CHAT -> StreamInspector.of(ProviderProtocol.OPENAI);
                    case GOOGLE -> StreamInspector.of(ProviderProtocol.GOOGLE);
                    case RESPONSES -> new ResponsesUsage();
                };
    }

    void see(byte[] bytes, int length) throws IOException {
        if (!streams) {
            keep(bytes, 0, length);
            return;
        }
        int begun = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                boolean empty = lineLength == 0;
                lineLength = 0;
                if (empty) {
                    keep(bytes, begun, i + 1 - begun);
                    begun = i + 1;
                    event();
                }
            } else if (bytes[i] != '\r') {
                lineLength++;
            }
        }
        keep(bytes, begun, length - begun);
    }

    /** What was left at the end of the stream. */
    void end() throws IOException {
        if (streams) {
            event();
        } else if (!lost) {
            whole();
        }
    }

    private void keep(byte[] bytes, int from, int length) throws IOException {
        if (pending.size() + length > LONGEST) {
            lost = true;
        }
        if (!lost) {
            pending.write(bytes, from, length);
        } else if (through != null) {
            through.write(pending.toByteArray());
            through.write(bytes, from, length);
            pending = new ByteArrayOutputStream();
        }
    }

    private void event() throws IOException {
        byte[] whole = pending.toByteArray();
        pending = new ByteArrayOutputStream();
        boolean wanted = lost || read(whole);
        if (through != null && wanted && whole.length > 0) {
            through.write(whole);
            through.flush();
        }
    }

    /** Whether the client is to see it. */
    private boolean read(byte[] event) {
        String said = new String(event, StandardCharsets.UTF_8);
        if (generated && isOnlyText(said)) {
            return true;
        }
        StringBuilder data = new StringBuilder();
        said.lines()
                .filter(line -> line.startsWith("data:"))
                .forEach(line -> data.append(line, "data:".length(), line.length()).append('\n'));
        String text = data.toString().strip();
        if (text.isEmpty() || text.equals("[DONE]")) {
            return true;
        }
        try {
            JsonNode json = CallBody.JSON.readTree(text);
            read(json);
            JsonNode choices = json.path("choices");
            return !(choices.isArray() && choices.isEmpty() && json.path("usage").isObject());
        } catch (JacksonException notJson) {
            lost = true;
            return true;
        }
    }

    /**
     * Whether it carries a piece of the answer and nothing to count, which most events do; a quote
     * within the piece has a backslash, so that no text can look like a name.
     */
    private boolean isOnlyText(String event) {
        if (event.contains("\"error\"") || event.contains("\"usage\":{")) {
            return false;
        }
        return switch (wire) {
            case ANTHROPIC -> event.contains("\"type\":\"content_block_delta\"");
            case CHAT ->
                    event.contains("\"finish_reason\":null")
                            && (!event.contains("\"usage\"") || event.contains("\"usage\":null"));
            case RESPONSES ->
                    event.contains("\"type\":\"response.output_text.delta\"")
                            && !event.contains("\"response\":");
            // Each of its events counts.
            case GOOGLE -> false;
        };
    }

    private void read(JsonNode json) {
        inspector.see(json);
        String type = json.path("type").asString("");
        if (type.equals("error") || inspector.error() != null) {
            refusedAtOnce |= !generated;
        } else if (type.equals("response.failed")) {
            refusedAtOnce |= !generated && ResponsesUsage.refusedAtOnce(json);
        } else if (!type.equals("ping")
                && !type.equals("response.created")
                && !type.equals("response.queued")
                && !type.equals("response.in_progress")) {
            generated = true;
        }
    }

    private void whole() {
        try {
            JsonNode json = CallBody.JSON.readTree(pending.toByteArray());
            switch (wire) {
                case ANTHROPIC -> {
                    ObjectNode start = CallBody.JSON.createObjectNode();
                    start.put("type", "message_start").set("message", json);
                    inspector.see(start);
                    if (json.path("type").asString("").equals("message")) {
                        inspector.end();
                    }
                }
                case CHAT -> inspector.see(json);
                // Google streams a list where it is not asked for events.
                case GOOGLE -> {
                    if (json.isArray()) {
                        json.forEach(inspector::see);
                    } else {
                        inspector.see(json);
                    }
                }
                case RESPONSES -> {
                    ObjectNode event = CallBody.JSON.createObjectNode();
                    event.put("type", "response." + json.path("status").asString(""))
                            .set("response", json);
                    inspector.see(event);
                }
            }
        } catch (JacksonException notJson) {
            lost = true;
        }
    }

    /** What was used; not exact if the answer did not come to its end. */
    Usage usage() {
        Usage usage = inspector.usage();
        if (refusedAtOnce && usage.prompt() == 0) {
            return Usage.NONE;
        }
        boolean counted =
                !lost && inspector.ended() && inspector.error() == null && usage.prompt() > 0;
        return counted ? usage : usage.atLeast();
    }
}
