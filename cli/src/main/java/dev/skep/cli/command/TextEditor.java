package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The editor of whoever types the command: VISUAL, EDITOR or vi, as for other tools. */
final class TextEditor {
    private final CommandContext context;

    TextEditor(CommandContext context) {
        this.context = context;
    }

    /**
     * A text as the person left it.
     *
     * @param file where it stands meanwhile, and stays if what follows fails
     */
    String edited(Path file, String text) {
        try {
            DurableFiles.replace(file, DurableFiles.Access.OWNER_ONLY, text);
            String editor =
                    Stream.of("VISUAL", "EDITOR")
                            .map(context.environment()::get)
                            .flatMap(value -> Optional.ofNullable(value).stream())
                            .filter(value -> !value.isBlank())
                            .findFirst()
                            .orElse("vi");
            // The editor may be a command with arguments; the file is never part of that text.
            int status =
                    new ProcessBuilder("sh", "-c", editor + " \"$1\"", "editor", file.toString())
                            .inheritIO()
                            .start()
                            .waitFor();
            if (status != 0) {
                throw new SkepException(
                        ErrorCode.BAD_REQUEST,
                        "the editor '%s' ended with %d, so nothing is changed; your text is in %s"
                                .formatted(editor, status, file));
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "cannot edit %s: %s; set EDITOR, or give the text with --file"
                            .formatted(file, e.getMessage()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "interrupted while editing", e);
        }
    }
}
