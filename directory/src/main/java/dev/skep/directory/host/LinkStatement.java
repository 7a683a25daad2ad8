package dev.skep.directory.host;

import dev.skep.kernel.row.Timestamps;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * What a host signs to prove itself: for one purpose, to one hub, over that hub's challenge. A hub
 * that passes on another's challenge gets a signature that the other refuses.
 *
 * @param publicKey the key that signs; in a rotation the new one, which both keys sign
 * @param place machine and folder, see {@link Machine#place}
 * @param at the host's clock, so that a wrong one is noticed
 */
public record LinkStatement(
        Purpose purpose,
        String hubId,
        String nonce,
        String hostId,
        String publicKey,
        String place,
        Instant at) {

    /** What the signature is for; one for a token is useless for a rotation. */
    public enum Purpose {
        ENROL,
        TOKEN,
        ROTATE
    }

    public byte[] bytes() {
        return String.join(
                        "\n",
                        "skep link 1",
                        purpose.name(),
                        hubId,
                        nonce,
                        hostId,
                        publicKey,
                        place,
                        Timestamps.format(at))
                .getBytes(StandardCharsets.UTF_8);
    }
}
