package dev.skep.shell;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The programs of the system that shells are made of. */
final class ShellTools {
    static final boolean LINUX =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");

    private static final int PATIENCE_SECONDS = 5;

    private ShellTools() {}

    static Path bash(String path) {
        for (String folder : path.split(":", -1)) {
            Path candidate = Path.of(folder, "bash");
            if (!folder.isEmpty() && Files.isExecutable(candidate)) {
                return candidate.toAbsolutePath();
            }
        }
        throw new SkepException(
                ErrorCode.BAD_CONFIGURATION, "no bash in PATH; install bash to run agents");
    }

    /** Keeps an agent's bash. */
    static String shellGuard() {
        return script("wall.sh") + script("guard.sh");
    }

    /** Runs a command line of a job or a server. */
    static String commandGuard() {
        return script("wall.sh") + script("command.sh");
    }

    private static String script(String name) {
        try (InputStream in = ShellTools.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new SkepException(ErrorCode.INTERNAL, name + " is missing from the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a short command succeeds, with nothing of our environment but the path. */
    static boolean succeeds(List<String> command, String path) {
        try {
            var builder = new ProcessBuilder(command);
            builder.environment().clear();
            builder.environment().put("PATH", path);
            builder.redirectErrorStream(true);
            builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException notThere) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
