package dev.skep.directory.secret;

import java.util.Base64;
import java.util.Optional;
import org.bouncycastle.crypto.params.Ed25519PublicKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;

/** The public half of an Ed25519 key pair, written as its 32 bytes in base64url. Immutable. */
public final class VerifyingKey {
    private static final int SIGNATURE_BYTES = 64;

    private final Ed25519PublicKeyParameters key;

    VerifyingKey(Ed25519PublicKeyParameters key) {
        this.key = key;
    }

    /** Parses a key from a peer; empty if it is invalid. */
    public static Optional<VerifyingKey> parse(String text) {
        try {
            return Optional.of(
                    new VerifyingKey(
                            new Ed25519PublicKeyParameters(Base64.getUrlDecoder().decode(text))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public boolean verifies(byte[] message, byte[] signature) {
        if (signature.length != SIGNATURE_BYTES) {
            return false;
        }
        Ed25519Signer signer = new Ed25519Signer();
        signer.init(false, key);
        signer.update(message, 0, message.length);
        return signer.verifySignature(signature);
    }

    @Override
    public String toString() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.getEncoded());
    }
}
