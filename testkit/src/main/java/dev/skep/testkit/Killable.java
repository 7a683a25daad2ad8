package dev.skep.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A process of this class path that can be killed without warning and started again. */
public final class Killable implements AutoCloseable {
    private final ProcessBuilder builder;
    private final Consumer<String> lines;
    private Process process;
    private Thread reader;
    private CompletableFuture<String> first = new CompletableFuture<>();

    /** Starts it; each line it prints is handed on, up to the moment it is killed. */
    public Killable(Class<?> main, Consumer<String> lines, String... arguments) {
        this(
                JavaCommand.process(main, arguments).redirectError(ProcessBuilder.Redirect.DISCARD),
                lines);
    }

    /** The same for a process with an environment or streams of its own. */
    public Killable(ProcessBuilder builder, Consumer<String> lines) {
        this.builder = builder;
        this.lines = lines;
        this.process = launch();
        this.reader = Thread.ofVirtual().start(this::read);
    }

    private Process launch() {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                first.complete(line);
                lines.accept(line);
            }
        } catch (IOException killed) {
            // half a line is no acknowledgement
        }
    }

    /** What it says when it is up. */
    public String greeting() {
        return first.orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** Leaves it alone for a while, in which it must not end by itself. */
    public void letRun(Duration time) throws InterruptedException {
        if (process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError(
                    "%s ended with %d".formatted(builder.command(), process.exitValue()));
        }
    }

    /** Done when it has ended, however that came. */
    public CompletableFuture<?> ended() {
        return process.onExit();
    }

    /** {@code kill -9}, and all over again. */
    public void killAndStart() throws InterruptedException {
        kill();
        start();
    }

    /** Starts it again after it was killed. */
    public void start() {
        first = new CompletableFuture<>();
        process = launch();
        reader = Thread.ofVirtual().start(this::read);
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        reader.join();
    }

    @Override
    public void close() {
        try {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
