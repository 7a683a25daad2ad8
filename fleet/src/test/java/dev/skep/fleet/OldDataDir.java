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
 * A data dir that {@code skep up} of commit 1a70b95 made in half a minute: alice and bob, who mail
 * each other, on host "elder", with their hub. Its keys were never used for anything else.
 */
final class OldDataDir {
    static final int MAILS = 11;

    private OldDataDir() {}

    static void unpack(Path folder) throws IOException {
        InputStream in = OldDataDir.class.getResourceAsStream("data-dir-1a70b95.zip");
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
