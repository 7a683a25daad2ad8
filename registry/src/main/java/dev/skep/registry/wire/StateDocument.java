package dev.skep.registry.wire;

import dev.skep.kernel.id.HostId;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A state document inside a frame. */
public record StateDocument(JsonNode json) {
    /** Takes over a document as it was written. */
    public static StateDocument of(byte[] written) {
        return new StateDocument(JsonMapper.shared().readTree(written));
    }

    public RegistryResult result() {
        return new RegistryResult(json);
    }

    /** Reads it as nodes of a host; throws {@link InvalidDocumentException} at the first fault. */
    public void readInto(HostId host, StateReader.Sink sink) {
        byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
        StateReader.read(new ByteArrayInputStream(bytes), host, sink);
    }
}
