package dev.skep.shell;

/** Leaves out terminal escape sequences, one character at a time; used by one thread. */
final class TerminalText {
    private static final char ESCAPE = 0x1b;
    private static final char BELL = 0x07;

    private enum State {
        PLAIN,
        ESCAPED,
        /** {@code ESC [ … letter}: colours, cursor. */
        CONTROL,
        /** {@code ESC ] … BEL} or {@code ESC \}: titles, links. */
        COMMAND
    }

    private State state = State.PLAIN;

    /** The character to show for this one, or -1 for none. */
    int next(char c) {
        if (c == ESCAPE) {
            state = State.ESCAPED;
            return -1;
        }
        return switch (state) {
            case PLAIN -> visible(c);
            case ESCAPED -> {
                state =
                        switch (c) {
                            case '[' -> State.CONTROL;
                            case ']' -> State.COMMAND;
                            // ESC ( B and the like have a letter to come
                            case '(', ')', '#', '%' -> State.ESCAPED;
                            default -> State.PLAIN;
                        };
                yield -1;
            }
            case CONTROL -> {
                // A line end inside means that it was no sequence but garbage.
                if (c == '\n') {
                    state = State.PLAIN;
                    yield c;
                }
                if (c >= '@' && c <= '~') {
                    state = State.PLAIN;
                }
                yield -1;
            }
            case COMMAND -> {
                if (c == BELL || c == '\n') {
                    state = State.PLAIN;
                    yield c == '\n' ? c : -1;
                }
                yield -1;
            }
        };
    }

    private static char visible(char c) {
        return (c >= ' ' && c != 0x7f) || c == '\n' || c == '\t' || c == '\r' ? c : '\ufffd';
    }
}
