package dev.skep.registry.wire;

import dev.skep.kernel.id.HostId;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A state document inside a frame. */
public record Document(JsonNode json) {
    /** Takes over a document as it was written. */
    public static Document of(byte[] written) {
        return new Document(JsonMapper.shared().readTree(written));
    }

    public Result result() {
        return new Result(json);
    }

    /** Reads it as nodes of a host; throws {@link BadDocument} at the first fault. */
    public void readInto(HostId host, StateReader.Sink sink) {
        byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
        StateReader.read(new ByteArrayInputStream(bytes), host, sink);
    }
}
