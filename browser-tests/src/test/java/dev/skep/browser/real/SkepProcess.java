package dev.skep.browser.real;

import dev.skep.app.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

    private final Map<String, String> environment;
    private final List<String> arguments;
    private final List<String> printed = new ArrayList<>();
    private Process process;
    private CompletableFuture<String> listening = new CompletableFuture<>();
    private CompletableFuture<String> signIn = new CompletableFuture<>();

    SkepProcess(Map<String, String> environment, String... arguments) {
        this.environment = environment;
        this.arguments = List.of(arguments);
        this.process = launch();
    }

    private Process launch() {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx256m",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            Process started = builder.start();
            started.getOutputStream().close();
            Thread.ofVirtual().start(() -> read(started));
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Process from) {
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                heard(line);
            }
        } catch (IOException killed) {
            // it has nothing more to say
        }
        listening.complete("");
    }

    private void heard(String line) {
        synchronized (printed) {
            printed.add(line);
        }
        after(line, "listening on ", listening);
        after(line, "within the hour: ", signIn);
    }

    private static void after(String line, String words, CompletableFuture<String> told) {
        int at = line.indexOf(words);
        if (at >= 0) {
            told.complete(line.substring(at + words.length()).strip());
        }
    }

    private String told(CompletableFuture<String> what) {
        try {
            String value = what.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!value.isEmpty()) {
                return value;
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
        process.destroyForcibly().waitFor();
    }

    void startAgain() {
        listening = new CompletableFuture<>();
        signIn = new CompletableFuture<>();
        process = launch();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
