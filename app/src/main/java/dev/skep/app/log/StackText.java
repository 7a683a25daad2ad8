package dev.skep.app.log;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * A stack trace as text: its lines are ours, the messages in it may not be, so that each stays in
 * its line.
 */
final class StackText {
    private final StringBuilder text = new StringBuilder();
    private final Set<Throwable> printed = Collections.newSetFromMap(new IdentityHashMap<>());

    private StackText() {}

    static String of(Throwable failure) {
        StackText trace = new StackText();
        trace.add("", "", failure);
        return trace.text.toString();
    }

    private void add(String indent, String as, Throwable thrown) {
        text.append(indent).append(as).append(SingleLineText.of(thrown.toString())).append('\n');
        if (!printed.add(thrown)) {
            return;
        }
        for (StackTraceElement frame : thrown.getStackTrace()) {
            text.append(indent).append("\tat ").append(frame).append('\n');
        }
        for (Throwable suppressed : thrown.getSuppressed()) {
            add(indent + "\t", "Suppressed: ", suppressed);
        }
        if (thrown.getCause() != null) {
            add(indent, "Caused by: ", thrown.getCause());
        }
    }
}
