package dev.skep.store.engine;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes commits of a SQLite file durable while its writer goes on: one flush of the log for all
 * that were committed since the last. Writers are told after the flush, in the order of commits,
 * and whoever read what is not flushed yet waits for it, so nobody ever knows what a power cut
 * could take back. Thread-safe.
 */
final class LogFlusher {
    private static final Logger LOG = LoggerFactory.getLogger(LogFlusher.class);

    /** A commit: its number, whether it wrote anything, and who waits for it. */
    private record Commit(long number, boolean wrote, List<PendingWrite<?>> group) {}

    private static final Commit STOP = new Commit(-1, false, List.of());

    private final Path database;
    private final Path log;
    // Bounded by the writes it holds, each of which has a caller that waits.
    private final BlockingQueue<Commit> commits = new LinkedBlockingQueue<>();
    private final Thread thread;
    private final Object durableChanged = new Object();
    private @Nullable FileChannel channel;
    private volatile long begun;
    private volatile long durable;
    private volatile @Nullable SkepException failure;

    LogFlusher(Path database) {
        this.database = database;
        this.log = Path.of(database + "-wal");
        this.thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("flusher-" + database.getFileName())
                        .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    boolean isThisThread() {
        return Thread.currentThread() == thread;
    }

    /** Called by the writer alone, before readers can see its commit; answers its number. */
    long begin() {
        long number = begun + 1;
        begun = number;
        return number;
    }

    /** What was begun is committed, or has failed and wrote nothing. */
    void committed(long number, boolean wrote, List<PendingWrite<?>> group) {
        commits.add(new Commit(number, wrote, group));
    }

    /** After a failed flush nothing is known about what is on the disk: no more is promised. */
    void refuseIfFailed() {
        SkepException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    /** Waits until all that can be seen now is durable. */
    void awaitDurable() throws InterruptedException {
        long seen = begun;
        if (durable < seen && !isThisThread()) {
            synchronized (durableChanged) {
                while (durable < seen) {
                    durableChanged.wait();
                }
            }
        }
        refuseIfFailed();
    }

    private void run() {
        List<Commit> together = new ArrayList<>();
        try {
            while (true) {
                together.add(commits.take());
                commits.drainTo(together);
                boolean stop = together.remove(STOP);
                flush(together);
                together.clear();
                if (stop) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            // nobody interrupts it; closing is told in order
            Thread.currentThread().interrupt();
        }
    }

    private void flush(List<Commit> together) {
        if (together.isEmpty()) {
            return;
        }
        if (failure == null && together.stream().anyMatch(Commit::wrote)) {
            try {
                flushLog();
            } catch (IOException e) {
                failure =
                        new SkepException(
                                ErrorCode.DATA_DIR_UNUSABLE,
                                "the disk failed while writing %s; check the disk and start again"
                                        .formatted(database),
                                e);
            }
        }
        synchronized (durableChanged) {
            durable = together.getLast().number();
            durableChanged.notifyAll();
        }
        together.forEach(commit -> commit.group().forEach(this::tell));
    }

    /** The file stays the same one while this process has the database open. */
    private void flushLog() throws IOException {
        if (channel == null) {
            channel = FileChannel.open(log, StandardOpenOption.WRITE);
        }
        channel.force(false);
    }

    private void tell(PendingWrite<?> write) {
        SkepException failed = failure;
        if (failed != null) {
            write.fail(failed);
            return;
        }
        for (Runnable action : write.actionsAfterCommit()) {
            try {
                action.run();
            } catch (RuntimeException e) {
                LOG.error("an action after a commit failed", e);
            }
        }
        write.succeed();
    }

    /** Flushes what was committed, then ends; the writer has ended before. */
    void stop() throws InterruptedException {
        commits.add(STOP);
        thread.join();
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.warn("the log of {} was not closed", database, e);
            }
        }
    }
}
