package dev.skep.browser.real;

import dev.skep.app.Main;
import dev.skep.testkit.JavaCommand;
import dev.skep.testkit.Killable;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The program itself, as its users start it; it can be killed and started again. */
final class SkepProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 90;

    private final List<String> arguments;
    private final List<String> printed = new ArrayList<>();
    private final Killable process;
    private volatile CompletableFuture<String> listening = new CompletableFuture<>();
    private volatile CompletableFuture<String> signIn = new CompletableFuture<>();

    SkepProcess(Map<String, String> environment, String... arguments) {
        this.arguments = List.of(arguments);
        ProcessBuilder builder =
                JavaCommand.process(Main.class, arguments)
                        .redirectErrorStream(true)
                        .redirectInput(new File("/dev/null"));
        builder.environment().putAll(environment);
        this.process = new Killable(builder, this::onLine);
    }

    private void onLine(String line) {
        synchronized (printed) {
            printed.add(line);
            printed.notifyAll();
        }
        after(line, "listening on ", listening);
        after(line, "within the hour: ", signIn);
    }

    /** Waits for a line with these words, printed at any time. */
    void awaitPrinted(String words) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        synchronized (printed) {
            while (printed.stream().noneMatch(line -> line.contains(words))) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    throw new AssertionError("no line with " + words + "; " + everything());
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(printed, left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new AssertionError(e);
                }
            }
        }
    }

    private static void after(String line, String words, CompletableFuture<String> told) {
        int at = line.indexOf(words);
        if (at >= 0) {
            told.complete(line.substring(at + words.length()).strip());
        }
    }

    private String told(CompletableFuture<String> what) {
        try {
            CompletableFuture.anyOf(what, process.ended()).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (what.isDone()) {
                return what.join();
            }
        } catch (TimeoutException | ExecutionException e) {
            throw new AssertionError(everything(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError(everything());
    }

    private String everything() {
        synchronized (printed) {
            return arguments + " printed:\n" + String.join("\n", printed);
        }
    }

    String url() {
        return told(listening);
    }

    /** The link that signs the first operator in, once; printed until somebody did. */
    String signInLink() {
        return told(signIn);
    }

    /** {@code kill -9}. */
    void kill() throws InterruptedException {
        process.kill();
    }

    void startAgain() {
        listening = new CompletableFuture<>();
        signIn = new CompletableFuture<>();
        process.start();
    }

    @Override
    public void close() {
        process.close();
    }
}
