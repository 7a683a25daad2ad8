package dev.skep.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The wall clock of processes that are started with it, which can be set while they run; their
 * monotonic clock and the times of files stay true. It is the library libfaketime that does it.
 */
public final class FakeClock {
    public static final String HOW_TO_INSTALL =
            "a process whose clock can be set needs libfaketime: apt-get install faketime";

    /** Where distributions put libraries; below, each has a folder or two of its own. */
    private static final List<Path> LIBRARIES =
            List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"), Path.of("/usr/local/lib"));

    /** The first one lets a thread read the offset while no other does. */
    private static final List<String> NAMES = List.of("libfaketimeMT.so.1", "libfaketime.so.1");

    private static final int DEPTH = 3;

    private final Path library;
    private final Path offset;

    private FakeClock(Path library, Path offset) {
        this.library = library;
        this.offset = offset;
    }

    /** Whether this machine has the library. */
    public static boolean isPossible() {
        return library().isPresent();
    }

    /** A clock that is right until it is set; it lives in a file of the folder. */
    public static FakeClock in(Path folder) {
        Path library = library().orElseThrow(() -> new IllegalStateException(HOW_TO_INSTALL));
        FakeClock clock = new FakeClock(library, folder.resolve("clock-is-off-by"));
        clock.set(Duration.ZERO);
        return clock;
    }

    /** Has the process, and those it starts, live by this clock. */
    public ProcessBuilder governs(ProcessBuilder process) {
        process.environment()
                .putAll(
                        Map.of(
                                "LD_PRELOAD",
                                library.toString(),
                                "FAKETIME_TIMESTAMP_FILE",
                                offset.toAbsolutePath().toString(),
                                // A step is seen at the next look at the clock.
                                "FAKETIME_NO_CACHE",
                                "1",
                                "FAKETIME_DONT_FAKE_MONOTONIC",
                                "1",
                                // Otherwise each wait of a JVM ends at once, which takes a core.
                                "FAKETIME_FORCE_MONOTONIC_FIX",
                                "0",
                                // Otherwise a killed process leaves a file in /dev/shm.
                                "FAKETIME_DISABLE_SHM",
                                "1",
                                "NO_FAKE_STAT",
                                "1"));
        return process;
    }

    /** Sets the clock of all its processes to so much after the true time, or before it. */
    public void set(Duration ahead) {
        Path next = offset.resolveSibling(offset.getFileName() + ".next");
        try {
            Files.writeString(next, "%+d%n".formatted(ahead.toSeconds()));
            // Moved, since a reader of half an offset would be at another time.
            Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Path> library() {
        return NAMES.stream().flatMap(name -> find(name).stream()).findFirst();
    }

    private static Optional<Path> find(String name) {
        return LIBRARIES.stream()
                .filter(Files::isDirectory)
                .flatMap(folder -> within(folder, name).stream())
                .findFirst();
    }

    private static Optional<Path> within(Path folder, String name) {
        try (Stream<Path> found =
                Files.find(folder, DEPTH, (path, _) -> Path.of(name).equals(path.getFileName()))) {
            return found.findFirst();
        } catch (IOException | UncheckedIOException unreadable) {
            return Optional.empty();
        }
    }
}
