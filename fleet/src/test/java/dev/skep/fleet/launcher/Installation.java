package dev.skep.fleet.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A folder with the launcher in it, and a world around it that holds nothing but what a test puts
 * there: the script sees no JDK, no Maven and no tool of this machine beyond the listed ones.
 */
final class Installation {
    /** All that the launcher may call besides java and mvn, and the bash that agents need. */
    private static final List<String> TOOLS =
            List.of(
                    "sh",
                    "awk",
                    "bash",
                    "cat",
                    "cksum",
                    "cp",
                    "find",
                    "head",
                    "ln",
                    "mkdir",
                    "mktemp",
                    "mv",
                    "nice",
                    "readlink",
                    "rm",
                    "sed",
                    "sha256sum",
                    "sleep",
                    "stat",
                    "tail",
                    "tee",
                    "touch",
                    "tr");

    final Path world;
    final Path folder;
    final Map<String, String> environment = new LinkedHashMap<>();

    Installation(Path world) {
        this.world = world;
        this.folder = directory(world.resolve("a folder with spaces/skep 1"));
        Path tools = directory(world.resolve("bin"));
        for (String tool : TOOLS) {
            script(tools.resolve(tool), "#!/bin/sh\nexec '" + find(tool) + "' \"$@\"\n");
        }
        environment.put("PATH", tools.toString());
        environment.put("HOME", directory(world.resolve("home")).toString());
        environment.put("TMPDIR", directory(world.resolve("tmp")).toString());
        environment.put("SKEP_AOT", "off");
        script(folder.resolve("skep"), launcherWithoutThisMachine());
    }

    // The usual places of this machine would hide what a test wants to see.
    private static String launcherWithoutThisMachine() {
        return read(Path.of("..", "skep")).replaceAll(" /(usr|opt|Library|home)/", " /nowhere/");
    }

    /** Puts the packaged jar beside the launcher, and gives it this test's own JDK. */
    Installation withRealJar() {
        try {
            Files.copy(Path.of(System.getProperty("skep.jar")), folder.resolve("skep.jar"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        return this;
    }

    /** Puts a jar there whose content does not matter. */
    Installation withJar(String content) {
        write(folder.resolve("skep.jar"), content);
        return this;
    }

    /**
     * A JDK whose java prints its arguments, one a line, and makes the AOT caches it is told to.
     */
    Path fakeJdk(String path, String version) {
        Path jdk = world.resolve(path);
        write(jdk.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        script(
                jdk.resolve("bin/java"),
                """
                #!/bin/sh
                for argument; do
                    case $argument in
                        -XX:AOTCacheOutput=*) echo made >"${argument#*=}" ;;
                    esac
                    case $before in
                        train) mkdir "$argument/native" ;;
                    esac
                    before=$argument
                done
                echo "java of $0"
                printf '%s\\n' "$@"
                """);
        script(jdk.resolve("bin/javac"), "#!/bin/sh\n");
        return jdk;
    }

    Ran run(String... arguments) {
        return runFrom(world, folder.resolve("skep").toString(), arguments);
    }

    Ran runFrom(Path workingFolder, String command, String... arguments) {
        try {
            Process process = start(workingFolder, command, arguments);
            CompletableFuture<String> err = reading(process.getErrorStream());
            CompletableFuture<String> out = reading(process.getInputStream());
            // Making a cache takes ten seconds alone, and a minute beside other fault tests.
            if (!process.waitFor(180, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command + " did not end: " + err.join());
            }
            return new Ran(process.exitValue(), out.join(), err.join());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns when nothing that was started here runs any more: a start may leave a training. */
    void awaitBackground() {
        while (true) {
            List<ProcessHandle> running =
                    ProcessHandle.allProcesses().filter(this::isOfThisWorld).toList();
            if (running.isEmpty()) {
                return;
            }
            running.forEach(process -> process.onExit().join());
        }
    }

    // Every tool and every JDK of this world lies in its folder, so its path is in each command.
    private boolean isOfThisWorld(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains(world.toString());
    }

    Process start(Path workingFolder, String command, String... arguments) throws IOException {
        List<String> line = Stream.concat(Stream.of(command), Stream.of(arguments)).toList();
        var builder = new ProcessBuilder(line).directory(workingFolder.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.start();
    }

    static CompletableFuture<String> reading(InputStream stream) {
        var text = new CompletableFuture<String>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try (stream) {
                                text.complete(
                                        new String(stream.readAllBytes(), StandardCharsets.UTF_8));
                            } catch (IOException e) {
                                text.completeExceptionally(e);
                            }
                        });
        return text;
    }

    static void write(Path file, String text) {
        try {
            directory(file.resolveSibling("."));
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void script(Path file, String text) {
        write(file, text);
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void link(Path link, Path target) {
        try {
            Files.createSymbolicLink(link, target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path directory(Path folder) {
        try {
            return Files.createDirectories(folder.normalize());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path find(String tool) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + tool + " on this machine"));
    }
}
