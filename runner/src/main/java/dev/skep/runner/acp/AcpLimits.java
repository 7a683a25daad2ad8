package dev.skep.runner.acp;

import java.time.Duration;

/**
 * How much an agent may say, and how long it may be silent.
 *
 * @param lineBytes a longer line ends the connection
 * @param garbageLines more lines that are no message end the connection
 * @param unwrittenBytes more that waits to be read by the agent ends the connection
 * @param unread an agent that reads nothing of what waits for so long loses the connection
 * @param permissions more that wait at once are cancelled unasked
 * @param initialize the longest wait for the answer to initialize
 * @param newSession the longest wait for a new session
 * @param load the longest wait for a session to be loaded or resumed
 * @param other the longest wait for every other answer, except to a prompt, which has no limit
 */
public record AcpLimits(
        int lineBytes,
        int garbageLines,
        long unwrittenBytes,
        Duration unread,
        int permissions,
        Duration initialize,
        Duration newSession,
        Duration load,
        Duration other) {
    public static final AcpLimits DEFAULTS =
            new AcpLimits(
                    16 << 20,
                    1_000,
                    32 << 20,
                    Duration.ofSeconds(60),
                    32,
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(30));
}
