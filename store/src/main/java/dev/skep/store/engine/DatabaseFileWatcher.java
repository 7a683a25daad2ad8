package dev.skep.store.engine;

import dev.skep.store.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.TimeUnit;

/**
 * Is notified by the operating system that another process wrote to a SQLite file. The log beside
 * it is written a little before the commit becomes visible, so a change is reported twice: soon,
 * and again when it has been quiet for a moment.
 */
final class DatabaseFileWatcher implements Database.Listening {
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long QUIET = TimeUnit.SECONDS.toNanos(1);

    private final WatchService service;
    private final String name;
    private final Runnable changed;

    private DatabaseFileWatcher(WatchService service, String name, Runnable changed) {
        this.service = service;
        this.name = name;
        this.changed = changed;
    }

    static DatabaseFileWatcher of(Path file, Runnable changed) {
        Path absolute = file.toAbsolutePath();
        Path folder = absolute.getParent();
        try {
            WatchService service = absolute.getFileSystem().newWatchService();
            if (folder != null) {
                folder.register(
                        service,
                        StandardWatchEventKinds.ENTRY_CREATE,
                        StandardWatchEventKinds.ENTRY_MODIFY);
            }
            DatabaseFileWatcher databaseFileWatcher =
                    new DatabaseFileWatcher(
                            service, String.valueOf(absolute.getFileName()), changed);
            Thread.ofPlatform()
                    .daemon()
                    .name("watch-" + databaseFileWatcher.name)
                    .start(databaseFileWatcher::run);
            return databaseFileWatcher;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run() {
        try {
            while (true) {
                if (concerns(service.take())) {
                    notifyUntilQuiet();
                }
            }
        } catch (ClosedWatchServiceException | InterruptedException e) {
            // closed
        }
    }

    private void notifyUntilQuiet() throws InterruptedException {
        long quietAt = notifyListener();
        for (long left = QUIET; left > 0; left = quietAt - System.nanoTime()) {
            WatchKey key = service.poll(left, TimeUnit.NANOSECONDS);
            if (key != null && concerns(key)) {
                quietAt = notifyListener();
            }
        }
        changed.run();
    }

    /** Reports several writes as one change; returns when to report for the second time. */
    private long notifyListener() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(SOON);
        changed.run();
        return System.nanoTime() + QUIET;
    }

    /** Whether it is about the file or its log; what readers share beside them is not written. */
    private boolean concerns(WatchKey key) {
        boolean ours = false;
        for (WatchEvent<?> event : key.pollEvents()) {
            String about = String.valueOf(event.context());
            ours |=
                    about.equals(name)
                            || about.equals(name + "-wal")
                            || event.kind() == StandardWatchEventKinds.OVERFLOW;
        }
        key.reset();
        return ours;
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
