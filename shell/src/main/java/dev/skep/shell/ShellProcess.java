package dev.skep.shell;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One guard with its bash, and the pipes to them. A platform thread reads what they print: reading
 * a pipe would hold a virtual thread's carrier. {@link #close} may come from any thread.
 */
final class ShellProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** What does not end by itself within this time is ended by force. */
    static final Duration CLOSING = Duration.ofSeconds(3);

    private static final int CHUNK = 16 * 1024;

    /** With this much unread output a flooding program is slowed down. */
    private static final long FLOOD = 8L * 1024 * 1024;

    private final Process process;
    private final ShellLaunch launch;
    private final OutputWindow window;
    private final BlockingQueue<ShellReport> reports = new LinkedBlockingQueue<>();
    private final Thread reader;
    private final CompletableFuture<Void> swept;
    private @Nullable OutputStream control;
    private @Nullable OutputStream input;

    private ShellProcess(Process process, ShellLaunch launch, OutputWindow window) {
        this.process = process;
        this.launch = launch;
        this.window = window;
        this.reader =
                Thread.ofPlatform()
                        .name("shell-" + launch.agent())
                        .daemon()
                        .unstarted(this::readAll);
        this.swept = process.onExit().thenAcceptAsync(_ -> guardEnded());
    }

    static ShellProcess start(ShellLaunch launch, OutputWindow window)
            throws IOException, InterruptedException {
        Path scratch = Files.createTempDirectory("skep-shell-");
        try {
            var builder = new ProcessBuilder(launch.command(scratch)).redirectErrorStream(true);
            builder.directory(Path.of("/").toFile());
            builder.environment().clear();
            builder.environment().putAll(launch.guardEnvironment());
            var shell = new ShellProcess(builder.start(), launch, window);
            shell.reader.start();
            try {
                shell.open(scratch);
            } catch (IOException | InterruptedException e) {
                shell.close();
                throw e;
            }
            return shell;
        } finally {
            ShellLaunch.deleteScratch(scratch);
        }
    }

    private void open(Path scratch) throws IOException, InterruptedException {
        if (!(nextReport(PATIENCE) instanceof ShellReport.Opened)) {
            throw new IOException("bash did not start: " + window.take().text().strip());
        }
        control = new FileOutputStream(scratch.resolve("control").toFile());
        input = new FileOutputStream(scratch.resolve("input").toFile());
        OutputStream guard = process.getOutputStream();
        guard.write('\n');
        guard.flush();
        // Setup ends with the first report of bash, which stays for the caller that waits for
        // reports.
        ShellReport report = nextReport(PATIENCE);
        switch (report) {
            case ShellReport.ShellStarted started -> reports.add(started);
            case ShellReport.Failed failed -> throw new IOException(failed.message());
            case null, default -> throw new IOException("bash did not start");
        }
    }

    @Nullable ShellReport nextReport(Duration patience) throws InterruptedException {
        return reports.poll(Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS);
    }

    /** Feeds the idle shell; it reads at once, so this does not wait for long. */
    void feed(String lines) throws IOException {
        write(control, lines);
    }

    /** Feeds the running command. */
    void type(String text) throws IOException {
        write(input, text);
    }

    ShellProcesses processes(long shellPid) {
        return new ShellProcesses(process.toHandle(), launch, shellPid);
    }

    /** Ends the guard, which ends all else, and waits for that. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException alreadyClosed) {
            // it is what was wanted
        }
        try {
            if (!process.waitFor(CLOSING)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                process.waitFor(CLOSING);
            }
            swept.get(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new SkepException(
                    ErrorCode.INTERNAL,
                    "processes of the shell of %s may be left".formatted(launch.agent()),
                    e);
        }
        closeQuietly(control);
        closeQuietly(input);
    }

    private void guardEnded() {
        launch.sweep();
        try {
            reader.join(CLOSING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        reports.add(new ShellReport.Gone());
    }

    private void readAll() {
        var scanner =
                new FrameScanner(
                        launch.token(),
                        new FrameScanner.Sink() {
                            @Override
                            public void output(byte[] bytes, int from, int length) {
                                window.append(bytes, from, length);
                            }

                            @Override
                            public void report(String text) {
                                reports.add(ShellReport.parse(text));
                            }
                        });
        byte[] chunk = new byte[CHUNK];
        try (InputStream output = process.getInputStream()) {
            int read = output.read(chunk);
            while (read >= 0) {
                scanner.feed(chunk, read);
                if (window.omitted() > FLOOD) {
                    Thread.sleep(1);
                }
                read = output.read(chunk);
            }
        } catch (IOException closed) {
            // the process is gone; its end is reported on its own
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(@Nullable OutputStream pipe, String text) throws IOException {
        if (pipe == null) {
            throw new IOException("the shell is not open");
        }
        pipe.write(text.getBytes(StandardCharsets.UTF_8));
        pipe.flush();
    }

    private static void closeQuietly(@Nullable OutputStream pipe) {
        if (pipe != null) {
            try {
                pipe.close();
            } catch (IOException alreadyGone) {
                // nothing is buffered
            }
        }
    }
}
