package dev.skep.app.assembly;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * How a command finds the process that runs on its data folder: a file only the owner may read,
 * with the process's id, its address and a secret. A file left behind by a killed process is
 * recognised by its id.
 */
public record ControlFile(long pid, String url, String secret) {
    private static final String NAME = "running";

    public static String newSecret(SecureRandom random) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Puts the file in place, whole or not at all. */
    AutoCloseable writeInto(Path dataDir) {
        Path file = dataDir.resolve(NAME);
        try {
            Path made =
                    Files.createTempFile(
                            dataDir,
                            NAME,
                            ".new",
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")));
            Files.writeString(made, pid + "\n" + url + "\n" + secret + "\n");
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
            return () -> Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE, "cannot write %s".formatted(file), e);
        }
    }

    /** The process that runs on this folder now, if one does. */
    public static Optional<ControlFile> find(Path dataDir) {
        try {
            List<String> lines = Files.readAllLines(dataDir.resolve(NAME));
            ControlFile found =
                    new ControlFile(Long.parseLong(lines.get(0)), lines.get(1), lines.get(2));
            return ProcessHandle.of(found.pid()).filter(ProcessHandle::isAlive).map(_ -> found);
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return "process " + pid + " at " + url;
    }
}
