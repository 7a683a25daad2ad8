package dev.skep.directory.secret;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/** Ed25519 by the JDK; a public key is written as its 32 bytes in base64url. */
public final class Ed25519 {
    /** What X.509 puts before the 32 bytes of every Ed25519 key. */
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private static final int KEY_BYTES = 32;

    private Ed25519() {}

    public static KeyPair generate(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
            generator.initialize(255, random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String format(PublicKey key) {
        byte[] encoded = key.getEncoded();
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(
                        Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length));
    }

    /** Reads a key somebody sent; empty if it is none. */
    public static Optional<PublicKey> parse(String text) {
        try {
            byte[] raw = Base64.getUrlDecoder().decode(text);
            if (raw.length != KEY_BYTES) {
                return Optional.empty();
            }
            byte[] encoded = Arrays.copyOf(X509_PREFIX, X509_PREFIX.length + KEY_BYTES);
            System.arraycopy(raw, 0, encoded, X509_PREFIX.length, KEY_BYTES);
            return Optional.of(
                    KeyFactory.getInstance("Ed25519")
                            .generatePublic(new X509EncodedKeySpec(encoded)));
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            return Optional.empty();
        }
    }

    /** Reads a private key this process wrote itself. */
    public static PrivateKey parsePrivate(String pkcs8) {
        try {
            return KeyFactory.getInstance("Ed25519")
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pkcs8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("not an Ed25519 key", e);
        }
    }

    public static byte[] sign(PrivateKey key, byte[] message) {
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(key);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static boolean verifies(PublicKey key, byte[] message, byte[] signed) {
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initVerify(key);
            signature.update(message);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
