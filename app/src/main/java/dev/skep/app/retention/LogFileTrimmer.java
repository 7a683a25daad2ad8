package dev.skep.app.retention;

import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what other programs write into our folders (servers' and started agents' output) from
 * growing for ever: a file that is too long is copied to {@code NAME.1} and emptied, which its
 * writer, appending, does not notice.
 */
public final class LogFileTrimmer implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(LogFileTrimmer.class);
    private static final Duration EVERY = Duration.ofMinutes(10);
    private static final long LONGEST = 10L << 20;

    private final List<Path> folders;
    private final PeriodicTask task = new PeriodicTask("long-logs", EVERY, this::round);

    public LogFileTrimmer(List<Path> folders) {
        this.folders = List.copyOf(folders);
    }

    @Override
    public void start() {
        task.start();
    }

    void round() {
        for (Path folder : folders) {
            try (Stream<Path> files = Files.exists(folder) ? Files.walk(folder) : Stream.of()) {
                for (Path file : files.filter(LogFileTrimmer::isLong).toList()) {
                    shorten(file);
                }
            } catch (IOException | UncheckedIOException e) {
                LOG.warn("a log cannot be shortened folder={} reason={}", folder, e.getMessage());
            }
        }
    }

    private static boolean isLong(Path file) {
        try {
            return file.toString().endsWith(".log")
                    && !file.endsWith("skep.log")
                    && Files.isRegularFile(file)
                    && Files.size(file) > LONGEST;
        } catch (IOException gone) {
            return false;
        }
    }

    private static void shorten(Path file) throws IOException {
        Path old = file.resolveSibling(file.getFileName() + ".1");
        Files.copy(file, old, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    @Override
    public void close() {
        task.close();
    }
}
