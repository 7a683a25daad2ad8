package dev.skep.transport.socket;

import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.QueryString;
import java.util.Optional;

/**
 * A request to open a WebSocket, not yet authenticated; printing it shows no secret.
 *
 * @param path as it was sent, percent-encoding and all
 * @param query as it was sent, empty if there is none
 * @param session what a browser signed in with
 * @param from the client's address
 * @param here whether it was made on this machine, and not passed on by a proxy
 */
public record SocketRequest(
        String path,
        String query,
        Optional<String> bearer,
        Optional<String> session,
        String from,
        boolean here) {

    /** The caller's credentials; a socket never counts as this machine's own command line. */
    public Credentials credentials() {
        return new Credentials(bearer, session, from, false);
    }

    /** The first value of a name in the query, decoded; a plus is a plus, as in keys. */
    public Optional<String> query(String name) {
        return Optional.ofNullable(QueryString.parse(query).get(name));
    }

    @Override
    public String toString() {
        return "socket " + path + " from " + from;
    }
}
