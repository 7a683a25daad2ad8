package dev.skep.directory.secret;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * For the few secrets that must be read back, such as those that webhooks are signed with: sealed
 * with AES-GCM under a key in an owner-only file beside the database, so that the database alone
 * gives none away. Thread-safe.
 */
public final class SealedSecrets {
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final Path path;
    private final SecretKey key;
    private final SecureRandom random;

    private SealedSecrets(Path path, SecretKey key, SecureRandom random) {
        this.path = path;
        this.key = key;
        this.random = random;
    }

    /** Reads the key file, or makes it. */
    public static SealedSecrets open(Path keyFile, SecureRandom random) {
        PrivateFile file = new PrivateFile(keyFile);
        String text =
                file.read()
                        .orElseGet(
                                () -> {
                                    byte[] bytes = new byte[KEY_BYTES];
                                    random.nextBytes(bytes);
                                    String made = Base64.getEncoder().encodeToString(bytes);
                                    file.write(made + "\n");
                                    return made;
                                });
        return new SealedSecrets(keyFile, key(text.strip(), keyFile), random);
    }

    private static SecretKey key(String text, Path keyFile) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            if (bytes.length == KEY_BYTES) {
                return new SecretKeySpec(bytes, "AES");
            }
        } catch (IllegalArgumentException notBase64) {
            // As wrong as one of another length.
        }
        throw new SkepException(
                ErrorCode.DATA_DIR_UNUSABLE,
                "%s holds no key; restore it from a backup, or move it aside and set the webhooks' secrets again"
                        .formatted(keyFile));
    }

    /**
     * Seals a secret.
     *
     * @param belongsTo what it is for; it opens for nothing else
     */
    public String seal(String secret, String belongsTo) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed =
                    cipher(Cipher.ENCRYPT_MODE, nonce, belongsTo)
                            .doFinal(secret.getBytes(StandardCharsets.UTF_8));
            byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
            System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
            return Base64.getEncoder().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public String open(String sealed, String belongsTo) {
        byte[] all = Base64.getDecoder().decode(sealed);
        byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
        try {
            byte[] secret =
                    cipher(Cipher.DECRYPT_MODE, nonce, belongsTo)
                            .doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
            return new String(secret, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "a stored secret does not open with %s; restore the key file that was there when it was stored"
                            .formatted(path),
                    e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, String belongsTo)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(belongsTo.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
