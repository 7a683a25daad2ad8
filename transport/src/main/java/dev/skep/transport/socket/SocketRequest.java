package dev.skep.transport.socket;

import java.util.Optional;

/**
 * A request to open a WebSocket, before anybody was asked; printing it shows no secret.
 *
 * @param path as it was sent, percent-encoding and all
 * @param query as it was sent, empty if there is none
 * @param from the peer's address
 */
public record SocketRequest(String path, String query, Optional<String> bearer, String from) {
    @Override
    public String toString() {
        return "socket " + path + " from " + from;
    }
}
