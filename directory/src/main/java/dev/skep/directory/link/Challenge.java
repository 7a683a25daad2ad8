package dev.skep.directory.link;

import dev.skep.directory.host.HubStatement;
import dev.skep.directory.host.JoinedHub;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.JsonFields;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a hub asks a host to sign, checked before the host signs anything. A hub may claim to be
 * another hub and pass on that hub's challenge; so a hub that this host knows at another address
 * must prove, with the key that it used there, that this address is its own as well.
 *
 * @param hubKey what the hub signed the challenge with; empty for a version that does not
 */
record Challenge(String hubId, String nonce, Optional<String> hubKey) {
    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9._=-]{1,200}");

    /** Reads and checks what an address sent. */
    static Challenge of(JsonFields answer, HubUrl url, LocalHost host) {
        String hubId = answer.text("hubId");
        String nonce = answer.text("nonce");
        if (!SHAPE.matcher(hubId).matches() || !SHAPE.matcher(nonce).matches()) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "%s answers with no challenge of a hub".formatted(url));
        }
        HubStatement said = new HubStatement(hubId, nonce, url.base(), answer.flag("ownAddress"));
        Optional<String> key =
                answer.optionalText("hubKey")
                        .filter(k -> said.isSigned(k, answer.optionalText("signature").orElse("")));
        List<JoinedHub> elsewhere =
                host.keys().hubs().stream()
                        .filter(hub -> hub.hubId().equals(hubId) && !hub.url().equals(url.base()))
                        .toList();
        boolean isKnownHere =
                host.keys().hub(url.base()).filter(hub -> hub.hubId().equals(hubId)).isPresent();
        boolean isProven = said.own() && key.filter(k -> isOf(elsewhere, k)).isPresent();
        if (!elsewhere.isEmpty() && !isKnownHere && !isProven) {
            String other = elsewhere.getFirst().url();
            throw new SkepException(
                    ErrorCode.HUB_NOT_PROVEN,
                    "%s says it is the hub at %s and does not prove it; if it is, give that hub this address with --names or --public-url, and if the other is gone, run: skep enrol %s --leave"
                            .formatted(url, other, other));
        }
        return new Challenge(hubId, nonce, key);
    }

    /** If no address has a key yet, all were joined with an earlier version. */
    private static boolean isOf(List<JoinedHub> known, String key) {
        List<String> seen = known.stream().flatMap(hub -> hub.hubKey().stream()).toList();
        return seen.isEmpty() || seen.contains(key);
    }
}
