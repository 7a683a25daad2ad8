package dev.skep.directory.host;

import dev.skep.directory.secret.VerifyingKey;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * What a hub signs with a challenge: its identity, and whether the address that the host dialled is
 * its own. A hub that passes the statement on passes on that answer too.
 *
 * @param own whether the address leads to this hub for certain
 */
public record HubStatement(String hubId, String nonce, String address, boolean own) {
    public HubStatement {
        if ((hubId + nonce + address).chars().anyMatch(Character::isISOControl)) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "a hub's statement must not have control characters");
        }
    }

    public String signedWith(HostKey key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.sign(bytes()));
    }

    /** Whether the holder of a public key signed this. */
    public boolean isSigned(String publicKey, String signature) {
        try {
            byte[] signed = Base64.getUrlDecoder().decode(signature);
            return VerifyingKey.parse(publicKey)
                    .filter(key -> key.verifies(bytes(), signed))
                    .isPresent();
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    private byte[] bytes() {
        return String.join("\n", "skep hub 1", hubId, nonce, address, own ? "own" : "unknown")
                .getBytes(StandardCharsets.UTF_8);
    }
}
