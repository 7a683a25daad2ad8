package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A text that a command is given as a file, or through standard input. */
final class FileArgument {
    private static final String STANDARD_INPUT = "-";
    private static final int LONGEST = 1 << 20;

    private FileArgument() {}

    static String text(CommandContext context, String file) {
        try {
            return file.equals(STANDARD_INPUT)
                    ? new String(System.in.readNBytes(LONGEST), StandardCharsets.UTF_8)
                    : Files.readString(context.workingFolder().resolve(file));
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "cannot read %s as UTF-8 text (%s); check the path"
                            .formatted(file, e.getClass().getSimpleName()),
                    e);
        }
    }

    /** Where the text of an agent stands while somebody edits it. */
    static Path draft(String name) {
        return Path.of(System.getProperty("java.io.tmpdir", "."))
                .resolve(
                        "skep-%s-%d.yaml"
                                .formatted(
                                        name.replaceAll("[^A-Za-z0-9_-]", "_"),
                                        ProcessHandle.current().pid()));
    }

    static void discard(Path draft) {
        try {
            DurableFiles.delete(draft);
        } catch (IOException e) {
            // It is in the folder that the system empties.
        }
    }
}
