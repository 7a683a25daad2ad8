package dev.skep.app.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which files of a data dir a backup holds besides the databases. What agents made in their own
 * folders, logs, and what belongs to a machine or to a running process are not among them.
 */
final class BackupFiles {
    private static final List<String> SETTINGS =
            List.of(
                    "models.yaml",
                    "allowed-commands",
                    "allowed-env",
                    "foreign-agents",
                    "remote-env",
                    "remote-folders");
    private static final List<String> SECRETS =
            List.of(".env", "runner.key", "hub.key", "secrets.key", "sign-in.json");

    private BackupFiles() {}

    /** Paths below the data dir, with {@code /} on every system. */
    static List<String> in(Path dataDir, boolean withKeys) throws IOException {
        List<String> kept = new ArrayList<>(SETTINGS);
        if (withKeys) {
            kept.addAll(SECRETS);
        }
        kept.removeIf(name -> !Files.isRegularFile(dataDir.resolve(name)));
        Path agents = dataDir.resolve("agents");
        if (Files.isDirectory(agents)) {
            try (Stream<Path> all = Files.walk(agents)) {
                all.filter(Files::isRegularFile)
                        .map(file -> dataDir.relativize(file).toString().replace('\\', '/'))
                        .sorted()
                        .forEach(kept::add);
            }
        }
        return kept;
    }

    /** Whether a backup may put this file there; a path out of the data dir never. */
    static boolean allows(String path) {
        Path normal = Path.of(path).normalize();
        boolean inside = !normal.isAbsolute() && normal.toString().replace('\\', '/').equals(path);
        return inside
                && (SETTINGS.contains(path)
                        || SECRETS.contains(path)
                        || (normal.startsWith("agents") && normal.getNameCount() > 1));
    }
}
