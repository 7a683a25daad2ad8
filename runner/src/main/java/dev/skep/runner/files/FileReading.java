package dev.skep.runner.files;

import java.nio.file.Path;

/** What became of reading an agent's file. */
public sealed interface FileReading {
    /** Its bytes, which are nobody else's. */
    final class Read implements FileReading {
        private final Path path;
        private final byte[] bytes;
        private final String check;

        Read(Path path, byte[] bytes, String check) {
            this.path = path;
            this.bytes = bytes;
            this.check = check;
        }

        /** Without links. */
        public Path path() {
            return path;
        }

        public byte[] bytes() {
            return bytes;
        }

        /** Changes with what is in it. */
        String check() {
            return check;
        }
    }

    /** There is no such file, but there could be. */
    record Missing(Path path) implements FileReading {}

    /**
     * It is not to be read.
     *
     * @param why goes on after the file's name
     */
    record Refused(String why) implements FileReading {}
}
