package dev.skep.registry.folder;

import java.nio.file.Path;

/** The result of looking for a folder. */
public sealed interface FolderLookup {
    /** There it is, canonical and inside home. */
    record Inside(Path path) implements FolderLookup {}

    /** There is nothing of that name. */
    record Missing() implements FolderLookup {}

    record Refused(String error) implements FolderLookup {}
}
