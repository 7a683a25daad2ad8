package dev.skep.directory.host;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.row.Timestamps;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a host signs to prove itself: for one purpose, to one hub, over that hub's challenge, at the
 * address it dialled. A hub that passes on another's challenge gets a signature with its own
 * address in it, which the other refuses. Each text is one line, so that none can be read as two.
 *
 * @param publicKey the key that signs; in a rotation the new one, which both keys sign
 * @param place machine and folder, see {@link MachineInfo#place}
 * @param at the host's clock, so that a wrong one is noticed
 * @param address what the host dialled; empty from or for a version that does not sign it
 */
public record LinkStatement(
        Purpose purpose,
        String hubId,
        String nonce,
        String hostId,
        String publicKey,
        String place,
        Instant at,
        Optional<String> address) {

    public LinkStatement {
        String texts = hubId + nonce + hostId + publicKey + place + address.orElse("");
        if (texts.chars().anyMatch(Character::isISOControl)) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "a host's statement must not have control characters");
        }
    }

    /** One without an address, as earlier versions make them. */
    public LinkStatement(
            Purpose purpose,
            String hubId,
            String nonce,
            String hostId,
            String publicKey,
            String place,
            Instant at) {
        this(purpose, hubId, nonce, hostId, publicKey, place, at, Optional.empty());
    }

    /** What the signature is for; one for a token is useless for a rotation. */
    public enum Purpose {
        ENROL,
        TOKEN,
        ROTATE
    }

    public byte[] bytes() {
        List<String> lines =
                new ArrayList<>(
                        List.of(
                                address.isPresent() ? "skep link 2" : "skep link 1",
                                purpose.name(),
                                hubId,
                                nonce,
                                hostId,
                                publicKey,
                                place,
                                Timestamps.format(at)));
        address.ifPresent(lines::add);
        return String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    }
}
