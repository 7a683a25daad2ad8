package dev.skep.directory.secret;

import java.security.SecureRandom;
import java.util.Base64;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;

/**
 * The secret half of an Ed25519 key pair. By Bouncy Castle, which signs 18 times and verifies 8
 * times as fast as the JDK. Printing it shows the public half. Immutable.
 */
public final class SigningKey {
    private final Ed25519PrivateKeyParameters key;

    private SigningKey(Ed25519PrivateKeyParameters key) {
        this.key = key;
    }

    public static SigningKey generate(SecureRandom random) {
        return new SigningKey(new Ed25519PrivateKeyParameters(random));
    }

    /** Reads what {@link #secret} wrote. */
    public static SigningKey parse(String secret) {
        return new SigningKey(
                new Ed25519PrivateKeyParameters(Base64.getUrlDecoder().decode(secret)));
    }

    /** The 32 bytes of the key, for its file and nothing else. */
    public String secret() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.getEncoded());
    }

    public VerifyingKey open() {
        return new VerifyingKey(key.generatePublicKey());
    }

    public byte[] sign(byte[] message) {
        Ed25519Signer signer = new Ed25519Signer();
        signer.init(true, key);
        signer.update(message, 0, message.length);
        return signer.generateSignature();
    }

    @Override
    public String toString() {
        return "key pair of " + open();
    }
}
