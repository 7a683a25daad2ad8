package dev.skep.store.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;
import org.sqlite.util.OSInfo;

/**
 * SQLite itself, which is no Java and has to lie in a file before a process can load it. The driver
 * would leave a copy in the temporary folder whenever a process is killed; here it is in a file
 * that has no name in any folder, or has none any more once it is loaded.
 */
public final class SqliteLibrary {
    private static final String PATH = "org.sqlite.lib.path";
    private static final String NAME = "org.sqlite.lib.name";

    private static boolean loaded;

    private SqliteLibrary() {}

    /**
     * Copies the library of this kind of machine into a folder. A process started with {@code
     * org.sqlite.lib.path} neither detects its platform nor unpacks a copy of its own.
     */
    public static void copyTo(Path folder) throws IOException {
        try (InputStream library = open()) {
            Files.copy(
                    library,
                    Files.createDirectories(folder).resolve(LibraryLoaderUtil.getNativeLibName()));
        }
    }

    /** Loads it, once; if that fails, the driver loads its own copy and reports what is wrong. */
    static synchronized void load() {
        if (loaded) {
            return;
        }
        loaded = true;
        if (System.getProperty(PATH) != null) {
            return;
        }
        try (InputStream library = open()) {
            loadFromMemory(library);
        } catch (Exception noSuchSystem) {
            loadFromTemporaryFolder();
        }
    }

    private static void loadFromMemory(InputStream library) throws Exception {
        try (MemoryFile file = MemoryFile.create("sqlite")) {
            write(library, file.path());
            loadAs(file.path());
        }
    }

    private static void loadFromTemporaryFolder() {
        try (InputStream library = open()) {
            Path file = Files.createTempFile("skep", LibraryLoaderUtil.getNativeLibName());
            try {
                write(library, file);
                loadAs(file);
            } finally {
                Files.delete(file);
            }
        } catch (Exception e) {
            LoggerFactory.getLogger(SqliteLibrary.class)
                    .warn("SQLite's own way of loading is tried reason={}", e.toString());
        }
    }

    /** Writes into an existing file: one in memory cannot be created again. */
    private static void write(InputStream library, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            library.transferTo(out);
        }
    }

    private static void loadAs(Path file) throws Exception {
        System.setProperty(PATH, String.valueOf(file.getParent()));
        System.setProperty(NAME, String.valueOf(file.getFileName()));
        try {
            SQLiteJDBCLoader.initialize();
        } finally {
            System.clearProperty(PATH);
            System.clearProperty(NAME);
        }
    }

    private static InputStream open() throws IOException {
        String name = LibraryLoaderUtil.getNativeLibName();
        String resource =
                "/org/sqlite/native/%s/%s"
                        .formatted(OSInfo.getNativeLibFolderPathForCurrentOS(), name);
        InputStream library = SQLiteJDBCLoader.class.getResourceAsStream(resource);
        if (library == null) {
            throw new IOException("SQLite has no library for this machine: " + resource);
        }
        return library;
    }
}
