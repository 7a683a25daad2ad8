package dev.skep.transport.route;

import java.util.Optional;

/**
 * What a request offers to prove who asks; printing it shows the address only.
 *
 * @param from the peer's address
 * @param loopback whether the peer is on this machine and asked for it by a loopback name
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
