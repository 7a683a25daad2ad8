package dev.skep.wire;

import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;

/** Turns messages into frames and back. Thread-safe. */
public final class MessageCodec {
    /** The types of messages, by which links distinguish protocols. */
    public static final Set<String> TYPES =
            Set.of(
                    "catch_up",
                    "catch_up_response",
                    "sync_request",
                    "sync_response",
                    "sync_available",
                    "sync_error");

    private final MessageReader reader;

    /** Reads rows of the tables the lookup knows; rows of others are set aside. */
    public MessageCodec(Function<String, Optional<SyncTable>> tables) {
        this.reader = new MessageReader(new RowReader(tables));
    }

    public Frame encode(Message message) {
        return Frame.of(message);
    }

    public DecodedMessage decode(Frame frame) {
        byte[] json = frame.json();
        if (json == null) {
            return new DecodedMessage.Garbage(
                    Message.SyncError.FRAME_TOO_LARGE,
                    "a frame of %,d bytes is damaged or holds more than %,d"
                            .formatted(frame.bytes().length, WireLimits.MESSAGE));
        }
        try {
            return new DecodedMessage.Read(reader.read(json));
        } catch (JacksonException | MalformedMessageException e) {
            // Jackson's message would repeat the peer's text; its place is enough to find it.
            String why =
                    e instanceof MalformedMessageException bad
                            ? bad.reason()
                            : "not JSON as we read it";
            return new DecodedMessage.Garbage(Message.SyncError.BAD_MESSAGE, why);
        }
    }

    /** One row as JSON text, for a quarantine that people read. */
    public static String text(SyncTable table, SyncRow row) {
        return new String(RowWriter.encode(table, row), StandardCharsets.UTF_8);
    }

    /** The values of a row's key as one text, for reports about it. */
    public static String key(SyncTable table, SyncRow row) {
        return table.keyOf(row).stream().map(Object::toString).collect(Collectors.joining("/"));
    }
}
