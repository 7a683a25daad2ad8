package dev.skep.runner.managed;

import dev.skep.runner.acp.AcpConnection;
import dev.skep.runner.acp.AcpException;
import dev.skep.runner.acp.OpenedSession;

/** Chooses the mode and the model of a session that was just opened. */
final class SessionChoices {
    private SessionChoices() {}

    static void make(
            AcpConnection connection, OpenedSession session, ManagedSetup setup, ManagedLog log)
            throws AcpException, InterruptedException {}
}
