package dev.skep.app.doctor;

import dev.skep.cli.config.Configuration;
import dev.skep.store.DatabaseUrl;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Checks free space on the disks of the data dir and of the hub's database file. */
final class DiskCheck implements Check {
    private static final String CHECK = "disk";
    private static final long LEAST = 100L << 20;
    private static final long LITTLE = 1L << 30;

    private final Set<Path> folders = new LinkedHashSet<>();

    DiskCheck(Configuration configuration) {
        folders.add(existing(configuration.dataDir()));
        if (configuration.database() instanceof DatabaseUrl.Sqlite(Path file)) {
            folders.add(existing(file));
        }
    }

    private static Path existing(Path path) {
        Path at = path.toAbsolutePath();
        while (!Files.isDirectory(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }

    @Override
    public List<Finding> findings() {
        List<Finding> found = new ArrayList<>();
        for (Path folder : folders) {
            found.add(look(folder));
        }
        return found;
    }

    private static Finding look(Path folder) {
        try {
            FileStore disk = Files.getFileStore(folder);
            return judge(folder, disk.getUsableSpace(), disk.getTotalSpace());
        } catch (IOException e) {
            return Finding.warning(
                    CHECK, "the free space at " + folder + " is unknown", "check with: df");
        }
    }

    static Finding judge(Path folder, long free, long total) {
        String says =
                "%s of %s are free at %s"
                        .formatted(ByteSizes.shown(free), ByteSizes.shown(total), folder);
        String fix = "free some space, or keep less: see Retention in docs/operations.md";
        if (free < LEAST) {
            return Finding.problem(CHECK, says, fix);
        }
        return free < LITTLE ? Finding.warning(CHECK, says, fix) : Finding.ok(CHECK, says);
    }
}
