package dev.skep.runner.workspace;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a folder holds.
 *
 * @param complete false if there was more than could be looked at in time
 */
public record FolderSize(long bytes, boolean complete) {
    private static final int MOST_FILES = 2_000_000;
    private static final Duration LONGEST = Duration.ofSeconds(20);

    /** A folder takes a block itself; without that, empty ones would cost nothing. */
    private static final long FOLDER = 4_096;

    /** Looks at everything below it, follows no links, and takes seconds at most. */
    public static FolderSize of(Path folder) {
        return of(folder, MOST_FILES, LONGEST);
    }

    static FolderSize of(Path folder, Duration longest) {
        return of(folder, MOST_FILES, longest.compareTo(LONGEST) < 0 ? longest : LONGEST);
    }

    static FolderSize of(Path folder, int mostFiles, Duration longest) {
        Count count = new Count(mostFiles, System.nanoTime() + longest.toNanos());
        try {
            Files.walkFileTree(folder, count);
        } catch (IOException changing) {
            count.complete = false;
        }
        return new FolderSize(count.bytes, count.complete);
    }

    private static final class Count implements FileVisitor<Path> {
        private final long end;
        private int left;
        private long bytes;
        private boolean complete = true;

        Count(int mostFiles, long end) {
            this.left = mostFiles;
            this.end = end;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return counted(FOLDER);
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return counted(attributes.isRegularFile() ? attributes.size() : 0);
        }

        /** What the runner may not read, or is gone since. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException why) {
            return counted(0);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException why) {
            return FileVisitResult.CONTINUE;
        }

        private FileVisitResult counted(long more) {
            bytes += more;
            left--;
            if (left <= 0 || (left % 256 == 0 && System.nanoTime() > end)) {
                complete = false;
                return FileVisitResult.TERMINATE;
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
