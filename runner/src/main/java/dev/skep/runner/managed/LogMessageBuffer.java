package dev.skep.runner.managed;

import dev.skep.agents.session.LogEntry;
import dev.skep.shell.redact.RedactedStream;
import dev.skep.shell.redact.Redactor;
import org.jspecify.annotations.Nullable;

/**
 * A message that comes in pieces, until it is a line of the log. A secret that two pieces share is
 * taken out as if it had come in one. Not thread-safe.
 */
final class LogMessageBuffer {
    private final LogEntry.Type type;
    private final @Nullable String messageId;
    private final RedactedStream redacted;
    private final StringBuilder text = new StringBuilder();
    private long latest;
    private boolean stored;
    private boolean unstored;

    LogMessageBuffer(LogEntry.Type type, @Nullable String messageId, Redactor redactor) {
        this.type = type;
        this.messageId = messageId;
        this.redacted = redactor.stream();
    }

    /** Whether a piece of this kind goes on with it; agents without message ids are believed. */
    boolean goesOnWith(LogEntry.Type kind, @Nullable String id) {
        return type == kind && (id == null || messageId == null || id.equals(messageId));
    }

    void add(String piece, long now) {
        text.append(redacted.write(piece));
        latest = now;
        unstored = true;
    }

    LogEntry.Type type() {
        return type;
    }

    int length() {
        return text.length();
    }

    long latest() {
        return latest;
    }

    /** Whether a line with its beginning is stored already. */
    boolean isContinued() {
        return stored;
    }

    /** Whether something came since the last line of it. */
    boolean isUnstored() {
        return unstored;
    }

    /** Takes what may be stored while more of it may come. */
    String takeSoFar() {
        text.append(redacted.pause());
        return take();
    }

    /** Takes the rest. */
    String takeAll() {
        text.append(redacted.end());
        return take();
    }

    private String take() {
        String taken = text.toString();
        text.setLength(0);
        unstored = false;
        stored |= !taken.isEmpty();
        return taken;
    }
}
