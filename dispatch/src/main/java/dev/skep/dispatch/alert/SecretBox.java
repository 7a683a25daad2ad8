package dev.skep.dispatch.alert;

import dev.skep.directory.secret.PrivateFile;
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
 * Keeps secrets that must be read back: encrypted with a key in a file beside the database, so that
 * the database alone tells nothing. Thread-safe.
 */
public final class SecretBox {
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKey key;
    private final SecureRandom random;

    private SecretBox(SecretKey key, SecureRandom random) {
        this.key = key;
        this.random = random;
    }

    /** With the key of this file, which is made if it is missing. */
    public static SecretBox open(Path keyFile, SecureRandom random) {
        PrivateFile file = new PrivateFile(keyFile);
        String text =
                file.read()
                        .orElseGet(
                                () -> {
                                    byte[] fresh = new byte[KEY_BYTES];
                                    random.nextBytes(fresh);
                                    String encoded = Base64.getEncoder().encodeToString(fresh);
                                    file.write(encoded);
                                    return encoded;
                                });
        byte[] bytes = Base64.getDecoder().decode(text.strip());
        return new SecretBox(new SecretKeySpec(bytes, "AES"), random);
    }

    public String seal(String secret) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] hidden = run(Cipher.ENCRYPT_MODE, nonce, secret.getBytes(StandardCharsets.UTF_8));
        byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + hidden.length);
        System.arraycopy(hidden, 0, all, NONCE_BYTES, hidden.length);
        return Base64.getEncoder().encodeToString(all);
    }

    public String unseal(String sealed) {
        byte[] all = Base64.getDecoder().decode(sealed);
        byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
        byte[] hidden = Arrays.copyOfRange(all, NONCE_BYTES, all.length);
        return new String(run(Cipher.DECRYPT_MODE, nonce, hidden), StandardCharsets.UTF_8);
    }

    private byte[] run(int mode, byte[] nonce, byte[] input) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(input);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "a stored secret does not fit its key file; make the webhook again", e);
        }
    }
}
