package dev.skep.wire;

import dev.skep.kernel.row.Position;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.ByteArrayBuilder;

/** Writes messages; the names of their fields are here and in {@link MessageReader} only. */
final class MessageWriter {
    private final JsonGenerator out;
    private final ByteArrayBuilder bytes;

    private MessageWriter(JsonGenerator out, ByteArrayBuilder bytes) {
        this.out = out;
        this.bytes = bytes;
    }

    static byte[] json(Message message) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (JsonGenerator out = WireJson.generator(bytes)) {
            out.writeStartObject();
            new MessageWriter(out, bytes).write(message);
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private void write(Message message) {
        switch (message) {
            case Message.CatchUp m -> catchUp(m);
            case Message.CatchUpResponse m -> catchUpResponse(m);
            case Message.SyncRequest m -> syncRequest(m);
            case Message.SyncResponse m -> syncResponse(m);
            case Message.SyncAvailable _ -> text("type", "sync_available");
            case Message.SyncError m -> syncError(m);
        }
    }

    private void catchUp(Message.CatchUp m) {
        text("type", "catch_up");
        text("host_id", m.hostId());
        number("schema_version", m.schemaVersion());
        out.writeName("protocol").writeStartArray();
        out.writeNumber(m.protocolMin()).writeNumber(m.protocolMax()).writeEndArray();
        position("lastSyncedFromHub", m.lastSyncedFromHub());
        position("hub_head", m.hubHead());
        if (!m.seen().isEmpty()) {
            out.writeName("seen").writeStartObject();
            m.seen().forEach(this::epochs);
            out.writeEndObject();
        }
    }

    private void catchUpResponse(Message.CatchUpResponse m) {
        text("type", "catch_up_response");
        tables(m.rows());
        position("cursor", m.cursor());
        position("hub_head", m.hubHead());
        flag("has_more", m.hasMore());
        if (m.wantSeen()) {
            flag("want_seen", true);
        }
    }

    private void syncRequest(Message.SyncRequest m) {
        text("type", "sync_request");
        number("req_id", m.reqId());
        number("schema_version", m.schemaVersion());
        position("since", m.since());
        if (m.ahead()) {
            flag("ahead", true);
        }
        if (m.pageBytes() > 0) {
            number("page_bytes", m.pageBytes());
        }
        if (m.kept() != m.since()) {
            position("kept", m.kept());
        }
        position("head", m.head());
        if (!m.seen().isEmpty()) {
            epochs("seen", m.seen());
        }
        Message.Forwards forwards = m.forwards();
        if (forwards != null) {
            out.writeName("forwards").writeStartObject();
            tables(forwards.rows());
            position("cursor", forwards.cursor());
            position("hub_head", forwards.hubHead());
            out.writeEndObject();
        }
        Message.Heal heal = m.heal();
        if (heal != null) {
            out.writeName("heal").writeStartObject();
            tables(heal.rows());
            position("head", heal.head());
            flag("has_more", heal.hasMore());
            out.writeEndObject();
        }
        if (!m.rejects().isEmpty()) {
            out.writeName("rejects").writeStartArray();
            m.rejects().forEach(this::reject);
            out.writeEndArray();
        }
        if (!m.grants().isEmpty()) {
            out.writeName("grants").writeStartArray();
            m.grants().forEach(this::grant);
            out.writeEndArray();
        }
    }

    private void reject(Message.Reject reject) {
        out.writeStartObject();
        text("table", reject.table());
        text("key", reject.key());
        text("reason", reject.reason());
        text("message", reject.message());
        out.writeEndObject();
    }

    private void grant(Message.Grant grant) {
        out.writeStartObject();
        text("user_id", grant.userId());
        number("gen", grant.gen());
        out.writeEndObject();
    }

    private void syncResponse(Message.SyncResponse m) {
        text("type", "sync_response");
        number("req_id", m.reqId());
        text("host_id", m.hostId());
        tables(m.rows());
        position("upto", m.upto());
        position("head", m.head());
        flag("has_more", m.hasMore());
        position("applied", m.applied());
        if (m.healed()) {
            flag("healed", true);
        }
    }

    private void syncError(Message.SyncError m) {
        text("type", "sync_error");
        text("error", m.error());
        Long expected = m.expected();
        if (expected != null) {
            number("expected", expected);
        }
        Long actual = m.actual();
        if (actual != null) {
            number("actual", actual);
        }
        text("message", m.message());
    }

    private void epochs(String name, Map<Long, Long> byEpoch) {
        out.writeName(name).writeStartObject();
        byEpoch.forEach((epoch, n) -> out.writeName(Long.toString(epoch)).writeNumber(n));
        out.writeEndObject();
    }

    /** Rows may be encoded already: their bytes go in as they are, behind what is written. */
    private void tables(MessageRows rows) {
        out.writeName("tables").writeRawValue("");
        out.flush();
        bytes.write(rows.json());
    }

    private void text(String name, String value) {
        out.writeName(name).writeString(value);
    }

    private void number(String name, long value) {
        out.writeName(name).writeNumber(value);
    }

    private void position(String name, long value) {
        text(name, Position.format(value));
    }

    private void flag(String name, boolean value) {
        out.writeName(name).writeBoolean(value);
    }
}
