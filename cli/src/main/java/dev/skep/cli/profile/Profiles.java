package dev.skep.cli.profile;

import dev.skep.directory.secret.PrivateFile;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The profiles in a user's configuration folder, a file of mode 600 each. */
public final class Profiles {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final String SUFFIX = ".json";

    private final Path folder;

    private Profiles(Path folder) {
        this.folder = folder;
    }

    /** Below XDG_CONFIG_HOME, or {@code .config} of the home folder. */
    public static Profiles of(Map<String, String> environment, Path home) {
        String given = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path config = given.isBlank() ? home.resolve(".config") : Path.of(given);
        return new Profiles(config.resolve("skep").resolve("profiles"));
    }

    public Optional<Profile> find(String name) {
        return file(name)
                .read()
                .map(
                        text -> {
                            try {
                                return Profile.read(name, text);
                            } catch (SkepException e) {
                                throw new SkepException(
                                        ErrorCode.BAD_CONFIGURATION,
                                        "%s is damaged; sign in again with: skep login URL --name %s"
                                                .formatted(file(name).path(), name),
                                        e);
                            }
                        });
    }

    /** One that must be there. */
    public Profile get(String name) {
        return find(name)
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.NOT_FOUND,
                                        "there is no profile %s; 'skep profiles' lists them and 'skep login URL --name %s' makes it"
                                                .formatted(name, name)));
    }

    public List<Profile> all() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .filter(name -> NAME.matcher(name).matches())
                    .sorted()
                    .map(this::get)
                    .toList();
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    public void write(Profile profile) {
        PrivateFile file = file(profile.name());
        try {
            boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
            var _ =
                    posix
                            ? DurableFiles.createFolders(
                                    folder,
                                    PosixFilePermissions.asFileAttribute(
                                            PosixFilePermissions.fromString("rwx------")))
                            : DurableFiles.createFolders(folder);
        } catch (IOException e) {
            throw unusable(e);
        }
        file.write(profile.text() + "\n");
    }

    public void remove(Profile profile) {
        file(profile.name()).delete();
    }

    private PrivateFile file(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "'%s' is not a profile's name; use letters, digits and . _ -".formatted(name));
        }
        return new PrivateFile(folder.resolve(name + SUFFIX));
    }

    private SkepException unusable(IOException e) {
        return new SkepException(
                ErrorCode.DATA_DIR_UNUSABLE,
                "cannot use %s; make it readable and writable by this user".formatted(folder),
                e);
    }
}
