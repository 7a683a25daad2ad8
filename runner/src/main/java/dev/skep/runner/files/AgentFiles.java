package dev.skep.runner.files;

import dev.skep.shell.Shell;
import dev.skep.shell.ShellOutcome;
import java.io.ByteArrayOutputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/**
 * Reads and changes files with an agent's rights, through a shell that nothing else uses. Used by
 * one thread at a time.
 */
public final class AgentFiles {
    /** What one outcome of the shell must be able to hold, in characters. */
    public static final int OUTPUT_CHARS = 256 * 1024;

    /** In base64 with line ends it is less than that. */
    private static final int PIECE = 180_000;

    private final Shell shell;
    private final Duration timeout;

    /**
     * Does nothing yet.
     *
     * @param shell with {@link #OUTPUT_CHARS}
     */
    public AgentFiles(Shell shell, Duration timeout) {
        this.shell = shell;
        this.timeout = timeout;
    }

    /**
     * Reads a whole file.
     *
     * @param folder what the path is relative to
     */
    public FileReading read(String folder, String path, long most) throws InterruptedException {
        Path file;
        try {
            file = Path.of(folder).resolve(path).normalize();
        } catch (InvalidPathException e) {
            return new FileReading.Refused("is no path");
        }
        String[] said = run(FileScript.look(file, most)).split("\n", 3);
        return switch (said[0]) {
            case "OK" ->
                    said.length == 3 && said[1].matches("\\d+ \\d{1,18}")
                            ? bytes(Path.of(said[2]), said[1], most)
                            : refused("");
            case "MISSING" ->
                    said.length == 2 ? new FileReading.Missing(Path.of(said[1])) : refused("");
            default -> refused(said[0]);
        };
    }

    private FileReading bytes(Path file, String check, long most) throws InterruptedException {
        long size = Long.parseLong(check.substring(check.indexOf(' ') + 1));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int number = 0; bytes.size() < Math.min(size, most); number++) {
            byte[] piece;
            try {
                piece = Base64.getMimeDecoder().decode(run(FileScript.piece(file, number, PIECE)));
            } catch (IllegalArgumentException notBase64) {
                return refused("");
            }
            if (piece.length == 0) {
                return refused("");
            }
            bytes.writeBytes(piece);
        }
        return bytes.size() == size
                ? new FileReading.Read(file, bytes.toByteArray(), check)
                : new FileReading.Refused("changed while it was read");
    }

    private static FileReading refused(String said) {
        return new FileReading.Refused(words(said));
    }

    private static String words(String said) {
        return said.startsWith("NO ") ? said.substring(3) : "could not be used: " + said;
    }

    /** Replaces what was read; a problem, or empty. */
    public Optional<String> replace(FileReading.Read read, byte[] bytes)
            throws InterruptedException {
        return problem(run(FileScript.replace(read.path(), read.check(), bytes)));
    }

    /** Makes a file that was missing; a problem, or empty. */
    public Optional<String> create(FileReading.Missing missing, byte[] bytes)
            throws InterruptedException {
        return problem(run(FileScript.create(missing.path(), bytes)));
    }

    private static Optional<String> problem(String said) {
        String[] lines = said.split("\n", -1);
        String last = lines[lines.length - 1];
        return last.equals("OK") ? Optional.empty() : Optional.of(words(last));
    }

    private String run(String script) throws InterruptedException {
        if (shell.busy()) {
            // Left by somebody who cancelled.
            ShellOutcome unused = shell.kill();
        }
        ShellOutcome outcome = shell.run(script, timeout);
        return switch (outcome) {
            case ShellOutcome.Finished finished -> finished.output().text().strip();
            case ShellOutcome.StillRunning _ -> {
                ShellOutcome unused = shell.kill();
                yield "NO took longer than %d s".formatted(timeout.toSeconds());
            }
            case ShellOutcome.Ended(var reason, _) -> "NO cannot be used: " + reason;
        };
    }
}
