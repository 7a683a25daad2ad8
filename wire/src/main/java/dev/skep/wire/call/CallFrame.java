package dev.skep.wire.call;

import dev.skep.wire.Frame;
import java.nio.charset.StandardCharsets;

/** A call over a link, and its answer: what HTTP would carry, and the number they share. */
public sealed interface CallFrame {
    /** The type of frames that ask. */
    String CALL = "call";

    /** The type of frames that answer. */
    String ANSWER = "answer";

    long id();

    Frame frame();

    /**
     * A call.
     *
     * @param path with its query
     * @param body JSON, or empty for none
     */
    record Call(long id, String path, String body) implements CallFrame {
        @Override
        public Frame frame() {
            return write(this, CALL, body);
        }

        public static Call read(Frame frame) {
            CallFrameReader fields = CallFrameReader.read(frame);
            return new Call(fields.id(), fields.path(), fields.body());
        }
    }

    /**
     * An answer.
     *
     * @param body JSON, or empty for none
     */
    record Answer(long id, int status, String body) implements CallFrame {
        @Override
        public Frame frame() {
            return write(this, ANSWER, body);
        }

        public static Answer read(Frame frame) {
            CallFrameReader fields = CallFrameReader.read(frame);
            return new Answer(fields.id(), (int) fields.status(), fields.body());
        }
    }

    /** The type first, where links look for it. */
    private static Frame write(CallFrame message, String type, String body) {
        String text =
                CallJson.object(
                        json -> {
                            json.writeStringProperty("type", type);
                            json.writeNumberProperty("id", message.id());
                            switch (message) {
                                case Call call -> json.writeStringProperty("path", call.path());
                                case Answer answer ->
                                        json.writeNumberProperty("status", answer.status());
                            }
                            if (!body.isEmpty()) {
                                CallJson.raw(json, "body", body);
                            }
                        });
        return new Frame(false, text.getBytes(StandardCharsets.UTF_8));
    }
}
