package dev.skep.directory.secret;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What is kept of a secret that has 80 random bits or more: its SHA-256 in hex. Guessing such a
 * secret from its hash is hopeless; passwords, which people choose, go through {@code Argon2id}.
 */
public final class SecretDigest {
    private SecretDigest() {}

    /** Of a public key, for people who compare it: 32 hexadecimal digits in groups of four. */
    public static String fingerprint(String publicKey) {
        return sha256(publicKey).substring(0, 32).replaceAll("(.{4})(?!$)", "$1-");
    }

    public static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Compares in constant time. */
    public static boolean same(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
