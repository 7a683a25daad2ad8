package dev.skep.directory.routes;

import dev.skep.transport.describe.Sparse;
import org.jspecify.annotations.Nullable;

/** What hosts that connect send and get. Hosts of later versions may send more. */
final class LinkBodies {
    private LinkBodies() {}

    /**
     * Asks for something to sign.
     *
     * @param address where the host dialled, if it wants to know whether that is the hub's own
     */
    record AskedChallenge(@Nullable String address) {}

    /** Something to sign; signed by the hub itself where the host named an address. */
    record Challenge(
            String hubId,
            String nonce,
            @Nullable String hubKey,
            @Nullable Boolean ownAddress,
            @Nullable String signature)
            implements Sparse {}

    /** A signed challenge, with a pairing code or an access key. */
    record Enrolling(
            String hubId,
            String nonce,
            String hostId,
            String publicKey,
            String place,
            String at,
            String signature,
            @Nullable String address,
            @Nullable String name,
            @Nullable String code,
            @Nullable String accessKey) {}

    record Enrolled(String hubId, String org) {}

    record SignedChallenge(
            String hubId,
            String nonce,
            String hostId,
            String publicKey,
            String place,
            String at,
            String signature,
            @Nullable String address,
            @Nullable String name) {}

    /**
     * What a link opens with.
     *
     * @param rotate whether the hub asks for a new key
     * @param clockOffSeconds how far the host's clock is ahead
     */
    record Token(String token, long expiresInSeconds, boolean rotate, long clockOffSeconds) {}

    record Rotating(
            String hubId,
            String nonce,
            String hostId,
            String publicKey,
            String place,
            String at,
            String signature,
            String currentKey,
            String currentSignature,
            @Nullable String address,
            @Nullable String name) {}

    record Rotated() {}
}
