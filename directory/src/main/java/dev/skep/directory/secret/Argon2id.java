package dev.skep.directory.secret;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/** Argon2id with 19 MiB and two passes, written in the usual text form with its parameters. */
final class Argon2id {
    private static final int MEMORY_KIB = 19_456;
    private static final int PASSES = 2;
    private static final int SALT = 16;
    private static final int HASH = 32;
    private static final Base64.Encoder TEXT = Base64.getEncoder().withoutPadding();

    private Argon2id() {}

    static String hash(String password, SecureRandom random) {
        byte[] salt = new byte[SALT];
        random.nextBytes(salt);
        return text(salt, derive(password, salt, MEMORY_KIB, PASSES));
    }

    /** A hash that no password has. */
    static String blank() {
        return text(new byte[SALT], new byte[HASH]);
    }

    private static String text(byte[] salt, byte[] hash) {
        return "$argon2id$v=19$m=%d,t=%d,p=1$%s$%s"
                .formatted(
                        MEMORY_KIB, PASSES, TEXT.encodeToString(salt), TEXT.encodeToString(hash));
    }

    static boolean matches(String password, String text) {
        String[] parts = text.split("\\$", -1);
        String[] parameters = parts[3].split("[=,]", -1);
        byte[] expected = Base64.getDecoder().decode(parts[5]);
        byte[] actual =
                derive(
                        password,
                        Base64.getDecoder().decode(parts[4]),
                        Integer.parseInt(parameters[1]),
                        Integer.parseInt(parameters[3]));
        return MessageDigest.isEqual(expected, actual);
    }

    private static byte[] derive(String password, byte[] salt, int memoryKib, int passes) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(
                new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                        .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                        .withMemoryAsKB(memoryKib)
                        .withIterations(passes)
                        .withParallelism(1)
                        .withSalt(salt)
                        .build());
        byte[] hash = new byte[HASH];
        generator.generateBytes(password.getBytes(StandardCharsets.UTF_8), hash);
        return hash;
    }
}
