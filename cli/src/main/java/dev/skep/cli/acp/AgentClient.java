package dev.skep.cli.acp;

import dev.skep.transport.route.JsonFields;
import java.util.List;

/** One agent of the fleet as its host or a hub shows it; every call may throw SkepException. */
public interface AgentClient extends AutoCloseable {
    /** What it does, and why if that needs a reason. */
    record State(String name, String status, String reason) {
        /** Nothing will come of it until somebody starts it. */
        boolean isOver() {
            return status.equals("stopped") || status.equals("failed");
        }

        /** In the middle of something, or about to go on by itself. */
        boolean isAtWork() {
            return List.of("active", "awaiting_approval", "backing_off", "unreachable")
                    .contains(status);
        }
    }

    /** What a person says to something that waits for approval. */
    enum Decision {
        ONCE,
        ALWAYS,
        DENY
    }

    State state();

    /** The first lines of its log after an id, in order; at most some hundred. */
    List<JsonFields> linesAfter(String id);

    /** The id of the last line of its log; empty if it has none. */
    String lastLine();

    /** Its approvals that wait. */
    List<JsonFields> approvals();

    /** Says something to it, and starts it if it does not run. Returns once its host knows. */
    void say(String text) throws InterruptedException;

    /** Ends the turn it is in. */
    void cancel();

    void decide(String approval, Decision decision);

    @Override
    void close();
}
