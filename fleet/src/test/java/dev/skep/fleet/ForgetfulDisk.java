package dev.skep.fleet;

import dev.skep.testkit.Eventually;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system of its own, in a file, whose power can be cut: what was not synced by then is gone,
 * as ext4's own "shutdown without flushing the journal" leaves it.
 */
final class ForgetfulDisk implements AutoCloseable {
    /** {@code _IOR('X', 125, __u32)}: stop writing to this file system. */
    private static final long EXT4_IOC_SHUTDOWN = 0x8004587dL;

    private static final int WITHOUT_JOURNAL = 2;
    private static final int O_RDONLY = 0;

    private final Path mount;
    private Path image;
    private int cuts;

    private ForgetfulDisk(Path image, Path mount) {
        this.image = image;
        this.mount = mount;
    }

    /** Where it can be made: it needs root, loop devices and ext4's tools. */
    static boolean isPossible(Path folder) throws IOException {
        if (!System.getProperty("os.name").equals("Linux") || !"root".equals(user())) {
            return false;
        }
        try (ForgetfulDisk tried = in(Files.createDirectory(folder.resolve("tried")))) {
            return Files.isDirectory(tried.root());
        } catch (IOException notHere) {
            return false;
        }
    }

    private static String user() {
        return System.getProperty("user.name");
    }

    static ForgetfulDisk in(Path folder) throws IOException {
        Path image = folder.resolve("disk.img");
        Path mount = Files.createDirectories(folder.resolve("disk"));
        run("truncate", "-s", "48M", image.toString());
        run("mkfs.ext4", "-q", "-F", image.toString());
        ForgetfulDisk disk = new ForgetfulDisk(image, mount);
        disk.mount();
        return disk;
    }

    Path root() {
        return mount;
    }

    private void mount() throws IOException {
        run("mount", "-o", "loop", image.toString(), mount.toString());
    }

    /**
     * Cuts the power and turns it on again, with what had reached the disk. A process in a mount
     * namespace of its own, as agents' shells are, may hold on to the dead file system, so it is a
     * copy of the disk that is mounted again.
     */
    void cut() throws IOException {
        shutDown();
        unmount();
        Path survived = image.resolveSibling("disk-%d.img".formatted(++cuts));
        Files.copy(image, survived);
        image = survived;
        mount();
    }

    @SuppressWarnings("restricted")
    private void shutDown() throws IOException {
        Linker linker = Linker.nativeLinker();
        MethodHandle open =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("open"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                        Linker.Option.firstVariadicArg(2));
        MethodHandle control =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("ioctl"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.ADDRESS),
                        Linker.Option.firstVariadicArg(2));
        MethodHandle close =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("close"),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(mount.toString());
            MemorySegment how = arena.allocate(ValueLayout.JAVA_INT);
            how.set(ValueLayout.JAVA_INT, 0, WITHOUT_JOURNAL);
            int descriptor = (int) open.invokeExact(path, O_RDONLY);
            int done = (int) control.invokeExact(descriptor, EXT4_IOC_SHUTDOWN, how);
            int closed = (int) close.invokeExact(descriptor);
            if (descriptor < 0 || done != 0 || closed != 0) {
                throw new IOException("the power of %s cannot be cut".formatted(mount));
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        unmount();
    }

    /** A process that another test starts just now has this one's files until it closes them. */
    private void unmount() {
        Eventually.holds(
                "nobody holds " + mount,
                () -> {
                    try {
                        run("umount", mount.toString());
                        return true;
                    } catch (IOException e) {
                        if (String.valueOf(e.getMessage()).contains("busy")) {
                            return false;
                        }
                        throw e;
                    }
                });
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        // It has closed its output, so it is over or about to be.
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
    }
}
