package dev.skep.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary folder that is gone when the measurement is over. */
public final class Scratch implements AutoCloseable {
    private final Path folder;

    public Scratch() throws IOException {
        this.folder = Files.createTempDirectory("skep-bench");
    }

    public Path folder() {
        return folder;
    }

    @Override
    public void close() throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(folder)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
