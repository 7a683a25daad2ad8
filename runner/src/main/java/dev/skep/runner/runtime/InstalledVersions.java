package dev.skep.runner.runtime;

import dev.skep.shell.GuardedProgram;
import dev.skep.shell.ProgramSettings;
import dev.skep.shell.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which version of a program is installed: from the package it belongs to, or else asked of the
 * program itself, behind the wall and within a few seconds. Known until the program changes.
 */
final class InstalledVersions {
    private static final Pattern VERSION = Pattern.compile("\"version\"\\s*:\\s*\"([^\"]{1,60})\"");
    private static final int LEVELS = 6;
    private static final int LONGEST = 60;
    private static final long LARGEST_PACKAGE = 200_000;
    private static final int PATIENCE_SECONDS = 5;

    /** No agent's name begins with a dot. */
    private static final String ASKING = ".probe";

    private final @Nullable Programs programs;
    private final Path dataDir;
    private final Map<List<Object>, String> known = new ConcurrentHashMap<>();

    /**
     * Of programs in a path.
     *
     * @param programs null to start none
     */
    InstalledVersions(@Nullable Programs programs, Path dataDir) {
        this.programs = programs;
        this.dataDir = dataDir;
    }

    /** The version; empty if nobody says. */
    String of(Path program, List<String> command) {
        try {
            Path real = program.toRealPath();
            List<Object> key = List.of(real, Files.getLastModifiedTime(real));
            String before = known.get(key);
            if (before != null) {
                return before;
            }
            String version = packaged(real);
            if (version.isEmpty() && programs != null && !command.isEmpty()) {
                version = asked(programs, program, command);
            }
            known.put(key, version);
            return version;
        } catch (IOException gone) {
            return "";
        }
    }

    private static String packaged(Path real) throws IOException {
        Path folder = real.getParent();
        for (int i = 0; i < LEVELS && folder != null; i++) {
            Path description = folder.resolve("package.json");
            if (Files.isRegularFile(description) && Files.size(description) < LARGEST_PACKAGE) {
                Matcher version = VERSION.matcher(Files.readString(description));
                return version.find() ? version.group(1) : "";
            }
            folder = folder.getParent();
        }
        return "";
    }

    /** The command's own program is the one that was found, if it has the same name. */
    private String asked(Programs programs, Path program, List<String> command) {
        Path name = program.getFileName();
        if (name == null || !command.getFirst().equals(name.toString())) {
            return "";
        }
        List<String> words = new ArrayList<>(command);
        words.set(0, program.toString());
        Path home = dataDir.resolve("work").resolve(".runtimes").resolve(ASKING);
        Path own = dataDir.resolve("work").resolve(ASKING);
        try (GuardedProgram asked =
                programs.start(
                        new ProgramSettings(
                                ASKING,
                                own,
                                home,
                                own,
                                words,
                                Map.of(),
                                Map.of(),
                                List.of(dataDir),
                                List.of()))) {
            var line = new CompletableFuture<String>();
            Thread.ofPlatform().daemon().name("version").start(() -> line.complete(first(asked)));
            return line.completeOnTimeout("", PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        } catch (IOException notStarted) {
            return "";
        }
    }

    private static String first(GuardedProgram program) {
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(program.output(), StandardCharsets.UTF_8))) {
            char[] text = new char[LONGEST];
            int length = Math.max(0, lines.read(text));
            return new String(text, 0, length).lines().findFirst().orElse("").strip();
        } catch (IOException gone) {
            return "";
        }
    }
}
