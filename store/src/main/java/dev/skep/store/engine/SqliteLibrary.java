package dev.skep.store.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;
import org.sqlite.util.OSInfo;

/** SQLite itself, which is no Java and has to lie in a file before a process can load it. */
public final class SqliteLibrary {
    private SqliteLibrary() {}

    /**
     * Copies the library of this kind of machine into a folder. A process that is told of it by
     * {@code org.sqlite.lib.path} need neither find out what machine it runs on nor unpack a copy
     * of its own.
     */
    public static void copyTo(Path folder) throws IOException {
        String name = LibraryLoaderUtil.getNativeLibName();
        String resource =
                "/org/sqlite/native/%s/%s"
                        .formatted(OSInfo.getNativeLibFolderPathForCurrentOS(), name);
        try (InputStream library = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
            if (library == null) {
                throw new IOException("SQLite has no library for this machine: " + resource);
            }
            Files.copy(library, Files.createDirectories(folder).resolve(name));
        }
    }
}
