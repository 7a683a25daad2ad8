package dev.skep.transport.route;

import java.util.Optional;

/**
 * What a request offers to prove its caller; printing it shows the address only.
 *
 * @param from the client's address
 * @param loopback whether the client is on this machine, not behind a proxy on it, and asked for it
 *     by a loopback name
 */
public record Credentials(
        Optional<String> bearer, Optional<String> session, String from, boolean loopback) {

    public static Credentials none(String from) {
        return new Credentials(Optional.empty(), Optional.empty(), from, false);
    }

    @Override
    public String toString() {
        return "credentials from " + from;
    }
}
