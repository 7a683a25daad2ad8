package dev.skep.fleet.nemesis;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A disk of its own for one process, small enough to be filled; needs root. */
final class ProcessDisk implements AutoCloseable {
    static final String NEEDS = "full and read-only disks need root, who may mount a tmpfs";

    private static final String SIZE = "96m";
    private static final int BLOCK = 1 << 16;

    private final Path folder;
    private final Path ballast;

    private ProcessDisk(Path folder) {
        this.folder = folder;
        this.ballast = folder.resolve("ballast");
    }

    /** Whether this machine lets us have one. */
    static boolean isPossible(Path scratch) throws IOException {
        Path probe = Files.createDirectories(scratch.resolve("probe"));
        boolean mounted = runs("mount", "-t", "tmpfs", "-o", "size=1m", "skep-nemesis", "" + probe);
        if (mounted) {
            runs("umount", probe.toString());
        }
        Files.delete(probe);
        return mounted;
    }

    static ProcessDisk at(Path folder) throws IOException {
        Files.createDirectories(folder);
        require(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "mode=755,size=" + SIZE,
                "skep-nemesis",
                folder.toString());
        return new ProcessDisk(folder);
    }

    /** Takes all the room that is left, to the last byte. */
    void fill() {
        try (OutputStream out = Files.newOutputStream(ballast)) {
            for (byte[] block = new byte[BLOCK]; ; ) {
                out.write(block);
            }
        } catch (IOException full) {
            // as it should be
        }
    }

    void free() throws IOException {
        Files.deleteIfExists(ballast);
    }

    /** Returns whether it is so: it cannot be while a process has a file open for writing. */
    boolean readOnly(boolean yes) throws IOException {
        return runs("mount", "-o", "remount," + (yes ? "ro" : "rw"), folder.toString());
    }

    private static void require(String... command) throws IOException {
        if (!runs(command)) {
            throw new IOException("failed: " + List.of(command));
        }
    }

    private static boolean runs(String... command) throws IOException {
        return new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .onExit()
                        .join()
                        .exitValue()
                == 0;
    }

    /** Processes with open files there keep them until they close them. */
    @Override
    public void close() throws IOException {
        require("umount", "-l", folder.toString());
    }
}
