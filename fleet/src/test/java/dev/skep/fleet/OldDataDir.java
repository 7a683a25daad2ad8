package dev.skep.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A data dir that {@code skep up} of an earlier commit made: alice and bob, who mail each other, on
 * host "elder", with their hub. Its keys were never used for anything else.
 */
enum OldDataDir {
    /** Half a minute of the first product that was one process. */
    FIRST("1a70b95", 11),

    /** The last commit of version 0.1.0: also jobs, a server, an operator with a key, a node. */
    VERSION_0_1("f665436d", 27);

    /** The runner of version 0.1.0. */
    static final String HOST_0_1 = "01M7QD9EQYDZN4977N6GS25GW4";

    /** A key of operator maria at the hub of version 0.1.0. */
    static final String API_KEY_0_1 = "skep_api_cqYV1dIvxR54sUnkhhm8JVapLIkPrgR0hxYCNfOLgfg";

    private final String commit;
    final int mails;

    OldDataDir(String commit, int mails) {
        this.commit = commit;
        this.mails = mails;
    }

    void unpack(Path folder) throws IOException {
        InputStream in = OldDataDir.class.getResourceAsStream("data-dir-%s.zip".formatted(commit));
        try (ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(in))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(file.resolveSibling("."));
                Files.copy(zip, file);
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
        }
    }
}
