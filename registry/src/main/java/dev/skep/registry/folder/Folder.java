package dev.skep.registry.folder;

import java.nio.file.Path;

/** What came of looking for a folder. */
public sealed interface Folder {
    /** There it is, canonical and inside home. */
    record Inside(Path path) implements Folder {}

    /** There is nothing of that name. */
    record Missing() implements Folder {}

    record Refused(String error) implements Folder {}
}
