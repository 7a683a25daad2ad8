package dev.skep.transport.socket;

import java.util.function.Supplier;

/** Decides who may open a socket, and what it then talks to. Thread-safe. */
@FunctionalInterface
public interface SocketAcceptor {
    AdmissionResult enter(SocketRequest request);

    /** What becomes of a request. */
    sealed interface AdmissionResult {
        /** The upgrade goes ahead; the handler is made if it succeeds. */
        record Admitted(Supplier<SocketHandler> handler) implements AdmissionResult {}

        /** Answered with a status and one line of plain text. */
        record Refused(int status, String text) implements AdmissionResult {}
    }
}
