package dev.skep.registry.folder;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The folders under home. Paths are made canonical and then checked component by component, so that
 * neither {@code ..} nor a link leads out, and {@code /home/ab} is not inside {@code /home/a}.
 */
public final class HomeFolder {
    private static final int LONGEST_LIST = 5_000;

    private final Path home;

    public HomeFolder(Path home) {
        this.home = home;
    }

    /** Names of the folders in a folder, or why they cannot be listed. */
    public sealed interface Listing {
        record Folders(Path current, List<String> names) implements Listing {}

        record Refused(String error) implements Listing {}
    }

    /** Lists a folder, home if none is named: sorted, without hidden and unreadable ones. */
    public Listing list(Optional<String> path) {
        return switch (find(path.orElse(home.toString()))) {
            case FolderLookup.Missing() ->
                    new Listing.Refused("Invalid path: no such file or directory");
            case FolderLookup.Refused(String error) -> new Listing.Refused(error);
            case FolderLookup.Inside(Path inside) -> list(inside);
        };
    }

    private Listing list(Path folder) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (names.size() < LONGEST_LIST && !name.startsWith(".") && isListed(entry)) {
                    names.add(name);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return new Listing.Refused("Cannot read directory: " + reason(e));
        }
        names.sort(null);
        return new Listing.Folders(folder, names);
    }

    /** Links are followed, but not out of home. */
    private boolean isListed(Path entry) {
        try {
            return Files.isDirectory(entry)
                    && Files.isReadable(entry)
                    && entry.toRealPath().startsWith(home.toRealPath());
        } catch (IOException gone) {
            return false;
        }
    }

    /** The folder a client names, if it exists and lies in home. */
    public FolderLookup find(String path) {
        try {
            Path real = home.resolve(path).toRealPath();
            return real.startsWith(home.toRealPath())
                    ? new FolderLookup.Inside(real)
                    : new FolderLookup.Refused("Path resolves outside home directory");
        } catch (NoSuchFileException e) {
            return new FolderLookup.Missing();
        } catch (IOException | InvalidPathException e) {
            return new FolderLookup.Refused("Invalid path: " + reason(e));
        }
    }

    static String reason(Exception failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "no such file or directory";
            case AccessDeniedException _ -> "permission denied";
            case NotDirectoryException _ -> "not a directory";
            case FileAlreadyExistsException _ -> "already exists";
            default -> String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        };
    }
}
