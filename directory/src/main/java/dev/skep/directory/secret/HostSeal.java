package dev.skep.directory.secret;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.XECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.KeyAgreement;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * Seals a text so that only one host can open it: X25519 between a key made for this text and the
 * host's own key, HKDF-SHA256, AES-256-GCM. The host's X25519 key is its Ed25519 key in the other
 * form of the same curve (RFC 7748, section 4.1), so there is no second key that somebody could put
 * in its place. Stateless.
 */
public final class HostSeal {
    /** The longest text in bytes; what is made of it fits into a field of a job. */
    public static final int LONGEST = 6_000;

    private static final String FORM = "1.";
    private static final int KEY_BYTES = 32;
    private static final int TAG_BITS = 128;
    private static final String CURVE = "X25519";
    private static final BigInteger P = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));

    /** Each key seals one text, so there is one nonce. */
    private static final byte[] NONCE = new byte[12];

    private HostSeal() {}

    /**
     * Seals a text.
     *
     * @param publicKey the host's, as it enrolled with it
     * @param belongsTo what it is for; it opens for nothing else
     */
    public static String seal(String publicKey, String text, String belongsTo) {
        try {
            byte[] host = montgomery(publicKey);
            KeyPair once = KeyPairGenerator.getInstance(CURVE).generateKeyPair();
            byte[] made = littleEndian(((XECPublicKey) once.getPublic()).getU());
            SecretKey key = key(once.getPrivate(), publicKey(host), made, host);
            byte[] sealed =
                    cipher(Cipher.ENCRYPT_MODE, key, belongsTo)
                            .doFinal(text.getBytes(StandardCharsets.UTF_8));
            byte[] all = Arrays.copyOf(made, KEY_BYTES + sealed.length);
            System.arraycopy(sealed, 0, all, KEY_BYTES, sealed.length);
            return FORM + Base64.getUrlEncoder().withoutPadding().encodeToString(all);
        } catch (GeneralSecurityException | IllegalArgumentException | ArithmeticException e) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "that is no public key of a host to seal for", e);
        }
    }

    /** The text, if it was sealed for this key and this purpose. */
    public static Optional<String> open(SigningKey own, String sealed, String belongsTo) {
        if (!sealed.startsWith(FORM)) {
            return Optional.empty();
        }
        try {
            byte[] all = Base64.getUrlDecoder().decode(sealed.substring(FORM.length()));
            byte[] made = Arrays.copyOf(all, KEY_BYTES);
            byte[] host = montgomery(own.open().toString());
            SecretKey key = key(privateKey(own), publicKey(made), made, host);
            byte[] text =
                    cipher(Cipher.DECRYPT_MODE, key, belongsTo)
                            .doFinal(all, KEY_BYTES, all.length - KEY_BYTES);
            return Optional.of(new String(text, StandardCharsets.UTF_8));
        } catch (GeneralSecurityException | IllegalArgumentException notForUs) {
            return Optional.empty();
        }
    }

    private static SecretKey key(PrivateKey own, PublicKey other, byte[] made, byte[] host)
            throws GeneralSecurityException {
        KeyAgreement agreement = KeyAgreement.getInstance(CURVE);
        agreement.init(own);
        agreement.doPhase(other, true);
        byte[] both = Arrays.copyOf(made, 2 * KEY_BYTES);
        System.arraycopy(host, 0, both, KEY_BYTES, KEY_BYTES);
        return KDF.getInstance("HKDF-SHA256")
                .deriveKey(
                        "AES",
                        HKDFParameterSpec.ofExtract()
                                .addIKM(agreement.generateSecret())
                                .addSalt(both)
                                .thenExpand(
                                        "skep seal 1".getBytes(StandardCharsets.UTF_8), KEY_BYTES));
    }

    private static Cipher cipher(int mode, SecretKey key, String belongsTo)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, NONCE));
        cipher.updateAAD(belongsTo.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    /** An Ed25519 public key as X25519 has it: u = (1 + y) / (1 - y). */
    private static byte[] montgomery(String publicKey) {
        byte[] bytes = Base64.getUrlDecoder().decode(publicKey);
        if (bytes.length != KEY_BYTES) {
            throw new IllegalArgumentException("a key has 32 bytes");
        }
        bytes[KEY_BYTES - 1] &= 0x7f;
        BigInteger y = new BigInteger(1, reversed(bytes));
        BigInteger u =
                BigInteger.ONE.add(y).multiply(BigInteger.ONE.subtract(y).modInverse(P)).mod(P);
        return littleEndian(u);
    }

    private static PublicKey publicKey(byte[] u) throws GeneralSecurityException {
        return KeyFactory.getInstance(CURVE)
                .generatePublic(
                        new XECPublicKeySpec(
                                NamedParameterSpec.X25519, new BigInteger(1, reversed(u))));
    }

    /** The scalar that Ed25519 makes of its 32 secret bytes. */
    private static PrivateKey privateKey(SigningKey own) throws GeneralSecurityException {
        byte[] seed = Base64.getUrlDecoder().decode(own.secret());
        byte[] scalar = Arrays.copyOf(MessageDigest.getInstance("SHA-512").digest(seed), KEY_BYTES);
        return KeyFactory.getInstance(CURVE)
                .generatePrivate(new XECPrivateKeySpec(NamedParameterSpec.X25519, scalar));
    }

    private static byte[] littleEndian(BigInteger number) {
        byte[] big = number.toByteArray();
        byte[] little = new byte[KEY_BYTES];
        for (int i = 0; i < Math.min(big.length, KEY_BYTES); i++) {
            little[i] = big[big.length - 1 - i];
        }
        return little;
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[i] = bytes[bytes.length - 1 - i];
        }
        return reversed;
    }
}
