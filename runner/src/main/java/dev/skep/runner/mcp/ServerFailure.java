package dev.skep.runner.mcp;

import java.time.Duration;

/** A server that did not do what was asked of it, in one line for the agent. */
final class ServerFailure extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST = 300;

    /** What became of the connection. */
    enum Kind {
        /** The server answered with an error; it can be asked again. */
        REFUSED,
        /** The connection is of no more use, and what was asked may have been done. */
        GONE,
        /** The same, and what was asked was certainly not done. */
        NOT_DONE
    }

    private final Kind kind;

    ServerFailure(Kind kind, String words) {
        super(line(words));
        this.kind = kind;
    }

    static ServerFailure late(Duration waited) {
        long seconds = Math.ceilDiv(waited.toMillis(), 1000L);
        return new ServerFailure(Kind.REFUSED, "did not answer for %d s".formatted(seconds));
    }

    Kind kind() {
        return kind;
    }

    String words() {
        return String.valueOf(getMessage());
    }

    static String line(String words) {
        String line = words.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }
}
