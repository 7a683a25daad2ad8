package dev.skep.app.backup;

import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Puts one folder in another's place by renaming; a crash leaves both, each whole. */
final class FolderSwap {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private FolderSwap() {}

    /** Returns where what was there went, if anything was. */
    static Optional<Path> into(Path place, Path made, Instant now) throws IOException {
        DurableFiles.syncTree(made);
        Optional<Path> before = Optional.empty();
        if (Files.exists(place)) {
            if (isEmpty(place)) {
                Files.delete(place);
            } else {
                Path aside =
                        place.resolveSibling(place.getFileName() + ".before-" + STAMP.format(now));
                DurableFiles.move(place, aside);
                before = Optional.of(aside);
            }
        }
        DurableFiles.move(made, place);
        return before;
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.findAny().isEmpty();
        }
    }

    /** Removes what an interrupted restore left. */
    static void delete(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> below = Files.walk(folder)) {
            all = below.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}
