package dev.skep.store.backup;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The bytes that distinguish records and values. Once shipped, none changes its meaning. */
final class BackupFormat {
    static final byte[] MAGIC = "SKEPBACKUP1\n".getBytes(StandardCharsets.US_ASCII);

    static final int HEADER = 'H';
    static final int FILE = 'F';
    static final int DATABASE = 'D';
    static final int TABLE = 'T';
    static final int ROW = 'R';
    static final int END = 'E';

    static final int NULL = 0;
    static final int NUMBER = 1;
    static final int TEXT = 2;

    private BackupFormat() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
