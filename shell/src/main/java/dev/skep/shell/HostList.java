package dev.skep.shell;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * A list the owner of a host keeps in its data dir: one entry to a line, {@code #} before what is
 * said about them, nothing if there is no file. It is read each time it is asked, so that a change
 * counts at once.
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
