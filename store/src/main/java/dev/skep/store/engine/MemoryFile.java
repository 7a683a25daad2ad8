package dev.skep.store.engine;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** A file of Linux that is in no folder and gone with its process, however that ends. */
final class MemoryFile implements AutoCloseable {
    private static final int CLOSE_ON_EXEC = 1;

    private final int descriptor;

    private MemoryFile(int descriptor) {
        this.descriptor = descriptor;
    }

    /** Fails where there is no such thing. */
    static MemoryFile create(String name) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle create =
                    function(
                            "memfd_create",
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.JAVA_INT));
            int made = (int) create.invokeExact(arena.allocateFrom(name), CLOSE_ON_EXEC);
            if (made < 0) {
                throw new IOException("this system makes no file in memory");
            }
            return new MemoryFile(made);
        } catch (IOException failure) {
            throw failure;
        } catch (Throwable noSuchSystem) {
            throw new IOException("this system has no files in memory", noSuchSystem);
        }
    }

    /** Where this process finds it while it is open. */
    Path path() {
        return Path.of("/proc/self/fd", Integer.toString(descriptor));
    }

    @Override
    public void close() throws IOException {
        try {
            int status =
                    (int)
                            function(
                                            "close",
                                            FunctionDescriptor.of(
                                                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT))
                                    .invokeExact(descriptor);
            if (status != 0) {
                throw new IOException("a file in memory could not be closed");
            }
        } catch (IOException failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IOException(failure);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle function(String name, FunctionDescriptor shape) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), shape);
    }
}
