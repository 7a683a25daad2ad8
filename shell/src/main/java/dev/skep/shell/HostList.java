package dev.skep.shell;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * A list that a host's owner keeps in its data dir: one entry per line, comments after {@code #},
 * empty without a file. It is read on each use, so that a change counts at once.
 */
public record HostList(Path file) {
    /** Variables that files from elsewhere may use. */
    public static HostList remoteEnv(Path dataDir) {
        return new HostList(dataDir.resolve("remote-env"));
    }

    /** Folders outside {@code work/} that agents from elsewhere may start in. */
    public static HostList remoteFolders(Path dataDir) {
        return new HostList(dataDir.resolve("remote-folders"));
    }

    public List<String> entries() {
        try {
            return Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (NoSuchFileException nothingListed) {
            return List.of();
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE, "cannot read %s as text".formatted(file), e);
        }
    }
}
