package dev.skep.app.log;

import dev.skep.cli.config.DataDir;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;

/** Keeps the stack trace of an unexpected failure out of the user's sight and within reach. */
public final class StackTraceLog {
    private static final String NAME = "failures.log";
    private static final long LONGEST = 1 << 20;

    private StackTraceLog() {}

    /**
     * Appends the trace to the data dir's log folder, else to the folder for temporary files, and
     * returns where; empty when neither can be written.
     */
    public static Optional<Path> append(
            Optional<Path> dataDir, Path temporary, Instant at, Throwable failure) {
        String trace = at + " " + StackText.of(failure);
        return dataDir.flatMap(folder -> appendTo(folder.resolve(LogSetup.FOLDER), trace))
                .or(() -> appendTo(temporary.resolve("skep-logs"), trace));
    }

    private static Optional<Path> appendTo(Path folder, String text) {
        try {
            DataDir.createPrivate(folder);
            Path file = folder.resolve(NAME);
            if (Files.exists(file) && Files.size(file) > LONGEST) {
                Files.move(file, folder.resolve(NAME + ".1"), StandardCopyOption.REPLACE_EXISTING);
            }
            Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return Optional.of(file);
        } catch (IOException | SkepException e) {
            return Optional.empty();
        }
    }
}
