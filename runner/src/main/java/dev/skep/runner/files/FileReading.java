package dev.skep.runner.files;

import java.nio.file.Path;

/** What became of reading an agent's file. */
public sealed interface FileReading {
    /**
     * Its bytes.
     *
     * @param path without links
     * @param check changes with what is in it
     */
    record Read(Path path, byte[] bytes, String check) implements FileReading {}

    /** There is no such file, but there could be. */
    record Missing(Path path) implements FileReading {}

    /**
     * It is not to be read.
     *
     * @param why goes on after the file's name
     */
    record Refused(String why) implements FileReading {}
}
