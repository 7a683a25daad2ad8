package dev.skep.directory.enrolment;

import dev.skep.directory.secret.SecretDigest;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Challenges that cost nothing to issue: each carries its time and this process's mark, and only
 * answered challenges are remembered, until they expire. A client that requests challenges without
 * end therefore fills no memory. Thread-safe.
 */
public final class ChallengeIssuer {
    static final Duration LIFE = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final SecureRandom random;
    private final SecretKeySpec mark;
    private final Map<String, Instant> answered = new HashMap<>();
    private Instant swept;

    public ChallengeIssuer(InstantSource clock, SecureRandom random) {
        this.clock = clock;
        this.random = random;
        byte[] key = new byte[32];
        random.nextBytes(key);
        this.mark = new SecretKeySpec(key, "HmacSHA256");
        this.swept = clock.instant();
    }

    public String next() {
        forgetExpired();
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        String text = clock.millis() + "." + base64(bytes);
        return text + "." + mac(text);
    }

    /** Accepts a challenge of ours that is fresh; {@link #use} must follow. */
    void check(String nonce) {
        int dot = nonce.lastIndexOf('.');
        if (dot < 0 || !SecretDigest.same(mac(nonce.substring(0, dot)), nonce.substring(dot + 1))) {
            throw expired();
        }
        Instant made = Instant.ofEpochMilli(Long.parseLong(nonce.substring(0, nonce.indexOf('.'))));
        if (clock.instant().isAfter(made.plus(LIFE))) {
            throw expired();
        }
    }

    /** Marks a challenge as answered; a second answer is refused, right or wrong. */
    synchronized void use(String nonce) {
        forgetExpired();
        if (answered.putIfAbsent(nonce, clock.instant()) != null) {
            throw new SkepException(
                    ErrorCode.CHALLENGE_USED,
                    "this challenge was answered before; ask for a new one");
        }
    }

    /** When a challenge is asked for, too: after a flood of answers there may be none for long. */
    private synchronized void forgetExpired() {
        Instant now = clock.instant();
        if (now.isAfter(swept.plus(LIFE))) {
            answered.values().removeIf(at -> now.isAfter(at.plus(LIFE)));
            swept = now;
        }
    }

    private static SkepException expired() {
        return new SkepException(
                ErrorCode.CHALLENGE_EXPIRED,
                "this challenge has expired or is another hub's; ask for a new one");
    }

    private String mac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(mark);
            return base64(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
