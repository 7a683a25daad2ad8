package dev.skep.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program that ends with this runner: its guard reads a named pipe that only the runner holds.
 * Its standard input and output are the caller's, byte for byte; what it prints on standard error
 * is read here, so that it never waits for that. Thread-safe.
 */
public final class GuardedProgram implements AutoCloseable {
    /** The time between TERM and KILL. */
    static final Duration GRACE = Duration.ofSeconds(2);

    /** For a program that ends by itself when nobody writes to it any more. */
    private static final Duration COURTESY = Duration.ofMillis(400);

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int ERROR_CHARS = 16_000;
    private static final int CHUNK = 8 * 1024;
    private static final long PAGE = 4096;

    private final Process process;
    private final RandomAccessFile leash;
    private final Runnable sweep;
    private final OutputWindow errors = new OutputWindow(ERROR_CHARS);
    private final CompletableFuture<Void> read = new CompletableFuture<>();

    GuardedProgram(Process process, RandomAccessFile leash, Runnable sweep, String name) {
        this.process = process;
        this.leash = leash;
        this.sweep = sweep;
        Thread.ofPlatform().name("errors-of-" + name).daemon().start(this::readErrors);
    }

    /** What it prints. Reading waits in the kernel: not for virtual threads. */
    public InputStream output() {
        return process.getInputStream();
    }

    /** What it reads; flush to send. */
    public OutputStream input() {
        return process.getOutputStream();
    }

    /** Head and tail of what it printed on standard error, as text, all of it if it has ended. */
    public CappedOutput errors() {
        if (!process.isAlive()) {
            await(read, PATIENCE);
        }
        return errors.peek();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Its status; empty while it runs. 125 to 127 say that it did not start. */
    public OptionalInt exitStatus() {
        return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }

    /** Completes when nothing of it is left. */
    public CompletableFuture<Void> ended() {
        return process.onExit().thenAccept(_ -> sweep.run());
    }

    /**
     * The memory that it and all it started hold now. What processes share is counted in each of
     * them.
     */
    public long residentBytes() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .mapToLong(each -> resident(each.pid()))
                .sum();
    }

    private static long resident(long pid) {
        try {
            String[] pages = Files.readString(Path.of("/proc/" + pid + "/statm")).split(" ", -1);
            return Long.parseLong(pages[1]) * PAGE;
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException gone) {
            return 0;
        }
    }

    /** Nothing it started is left after this: its input ends, then TERM, and KILL after a while. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException alreadyGone) {
            // nobody reads it
        }
        if (!await(process.onExit(), COURTESY)) {
            tellToEnd();
        }
        if (!await(process.onExit(), GRACE.plus(PATIENCE))) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            await(process.onExit(), PATIENCE);
        }
        closeLeash();
        sweep.run();
    }

    private synchronized void tellToEnd() {
        try {
            leash.write("end\n".getBytes(StandardCharsets.UTF_8));
        } catch (IOException closed) {
            // the guard knows by that
        }
    }

    private synchronized void closeLeash() {
        try {
            leash.close();
        } catch (IOException alreadyClosed) {
            // it is what was wanted
        }
    }

    private void readErrors() {
        byte[] chunk = new byte[CHUNK];
        try (InputStream in = process.getErrorStream()) {
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                errors.append(chunk, 0, length);
            }
        } catch (IOException gone) {
            // the end of the process says so
        } finally {
            read.complete(null);
        }
    }

    /** An interrupt asks for the end, so it is no reason to leave anything half ended. */
    private static boolean await(CompletableFuture<?> end, Duration patience) {
        try {
            end.copy().orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).join();
            return true;
        } catch (CompletionException stillThere) {
            return false;
        }
    }
}
