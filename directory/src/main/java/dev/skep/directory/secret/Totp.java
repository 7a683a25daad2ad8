package dev.skep.directory.secret;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * One-time codes by time (RFC 6238) as authenticator apps make them: HMAC-SHA-1, six digits, a new
 * one every 30 seconds. A code of the step before or after is right too, since clocks differ.
 */
public final class Totp {
    private static final int STEP_SECONDS = 30;
    private static final int DIGITS = 6;
    private static final int SECRET_BYTES = 20;
    private static final int TOLERATED_STEPS = 1;
    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    private Totp() {}

    /** A new secret in base 32. */
    public static String newSecret(SecureRandom random) {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return encoded(bytes);
    }

    /** The time step in which this code is right, if it is around now and after a step. */
    public static OptionalLong stepOf(String secret, String code, Instant now, long after) {
        String typed = code.replaceAll("[\\s-]", "");
        if (!typed.matches("[0-9]{" + DIGITS + "}")) {
            return OptionalLong.empty();
        }
        byte[] key = decoded(secret);
        long current = step(now);
        for (long step = current - TOLERATED_STEPS; step <= current + TOLERATED_STEPS; step++) {
            if (step > after && SecretDigest.same(code(key, step, DIGITS), typed)) {
                return OptionalLong.of(step);
            }
        }
        return OptionalLong.empty();
    }

    /** The code of a time. */
    public static String codeAt(String secret, Instant time) {
        return code(decoded(secret), step(time), DIGITS);
    }

    private static long step(Instant time) {
        return Math.floorDiv(time.getEpochSecond(), STEP_SECONDS);
    }

    static String code(byte[] key, long step, int digits) {
        byte[] hash;
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(key, "RAW"));
            hash = mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(step).array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        // RFC 4226, 5.3: the last four bits say where the number starts.
        int number = ByteBuffer.wrap(hash).getInt(hash[hash.length - 1] & 0xf) & Integer.MAX_VALUE;
        long modulus = 1;
        for (int i = 0; i < digits; i++) {
            modulus *= 10;
        }
        return String.format(Locale.ROOT, "%0" + digits + "d", number % modulus);
    }

    static String encoded(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        int held = 0;
        int bits = 0;
        for (byte each : bytes) {
            held = (held << 8) | (each & 0xff);
            bits += 8;
            while (bits >= 5) {
                bits -= 5;
                text.append(BASE32.charAt((held >> bits) & 31));
            }
            held &= (1 << bits) - 1;
        }
        if (bits > 0) {
            text.append(BASE32.charAt((held << (5 - bits)) & 31));
        }
        return text.toString();
    }

    static byte[] decoded(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(text.length() * 5 / 8);
        int held = 0;
        int bits = 0;
        for (int i = 0; i < text.length(); i++) {
            held = (held << 5) | BASE32.indexOf(text.charAt(i));
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                bytes.put((byte) (held >> bits));
                held &= (1 << bits) - 1;
            }
        }
        return bytes.array();
    }
}
