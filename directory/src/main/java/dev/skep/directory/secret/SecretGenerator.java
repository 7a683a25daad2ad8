package dev.skep.directory.secret;

import java.security.SecureRandom;
import java.util.Base64;

/** Makes secrets: random enough that a plain hash of them can be kept. Thread-safe. */
public final class SecretGenerator {
    private static final int BYTES = 32;
    private static final int CODE_GROUPS = 4;

    /** Without letters that look like digits, so that a code can be read aloud. */
    private static final String CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private final SecureRandom random;

    public SecretGenerator(SecureRandom random) {
        this.random = random;
    }

    /** A key, for example {@code skep_agent_…}; the prefix lets scanners find leaked ones. */
    public String key(String kind) {
        return "skep_" + kind + "_" + text();
    }

    public String text() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** A code of 80 random bits for people to carry from one machine to another. */
    public String code() {
        StringBuilder code = new StringBuilder();
        for (int i = 0; i < CODE_GROUPS * 4; i++) {
            if (i > 0 && i % 4 == 0) {
                code.append('-');
            }
            code.append(CODE_LETTERS.charAt(random.nextInt(CODE_LETTERS.length())));
        }
        return code.toString();
    }
}
