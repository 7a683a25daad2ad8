package dev.skep.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A disk of a few megabytes that a test can fill, or a read-only one. */
public final class SmallDisk implements AutoCloseable {
    private static final String BALLAST = "ballast";

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Empty where this user may not mount anything. */
    public static Optional<SmallDisk> of(int megabytes, Path under) {
        return mounted("size=%dm".formatted(megabytes), under.resolve("disk"));
    }

    /** An empty one that only can be read; empty where this user may not mount anything. */
    public static Optional<SmallDisk> readOnly(Path under) {
        return mounted("ro,size=64k", under.resolve("sealed"));
    }

    private static Optional<SmallDisk> mounted(String options, Path folder) {
        try {
            Files.createDirectories(folder);
            return run("mount", "-t", "tmpfs", "-o", options, "none", folder.toString())
                    ? Optional.of(new SmallDisk(folder))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path folder() {
        return folder;
    }

    /** Leaves no room for a single byte. */
    public void fill() {
        try (OutputStream out = Files.newOutputStream(folder.resolve(BALLAST))) {
            byte[] block = new byte[4096];
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            // which is what was wanted
        }
    }

    public void empty() throws IOException {
        Files.delete(folder.resolve(BALLAST));
    }

    /** Whatever still lies open there goes when it is closed. */
    @Override
    public void close() {
        run("umount", "-l", folder.toString());
    }

    private static boolean run(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noSuchCommand) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
