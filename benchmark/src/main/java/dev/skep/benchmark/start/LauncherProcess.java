package dev.skep.benchmark.start;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A process of the launcher in a data dir of its own. */
public final class LauncherProcess implements AutoCloseable {
    static final Path CHECKOUT = Path.of(System.getProperty("skep.home", "."));
    static final String LAUNCHER = CHECKOUT.resolve("skep").toString();
    private static final Duration SETTLED = Duration.ofSeconds(3);

    private final long begin = System.nanoTime();
    private final Process process;
    private final BufferedReader lines;

    /** A service on any free port. */
    static LauncherProcess service(List<String> command, Path dataDir) throws IOException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of("--listen", "127.0.0.1:0"));
        if (!command.getFirst().equals("supervisor")) {
            all.addAll(List.of("--registry-port", "none"));
        }
        return new LauncherProcess(all, dataDir);
    }

    public LauncherProcess(List<String> command, Path dataDir) throws IOException {
        this(inDataDir(command, dataDir));
    }

    LauncherProcess(ProcessBuilder command) throws IOException {
        process = command.redirectErrorStream(true).start();
        lines = process.inputReader(StandardCharsets.UTF_8);
    }

    private static ProcessBuilder inDataDir(List<String> command, Path dataDir) throws IOException {
        Files.createDirectories(dataDir);
        List<String> all = new ArrayList<>(List.of(LAUNCHER));
        all.addAll(command);
        all.addAll(List.of("--data-dir", dataDir.toString()));
        ProcessBuilder builder = new ProcessBuilder(all);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("HUB_") || name.endsWith("_URL"));
        return builder;
    }

    /** Makes the caches that a second start finds. */
    public static void train() throws IOException, InterruptedException {
        new ProcessBuilder(LAUNCHER, "__train").inheritIO().start().waitFor();
    }

    public double millisUntil(String words) throws IOException {
        after(words);
        double taken = millis();
        ignoreTheRest();
        return taken;
    }

    /** What stands behind these words in a line that is yet to be printed. */
    String after(String words) throws IOException {
        StringBuilder output = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            int at = line.indexOf(words);
            if (at >= 0) {
                return line.substring(at + words.length());
            }
            output.append(line).append('\n');
        }
        throw new IllegalStateException("it ended before it said '" + words + "': " + output);
    }

    /** Since it was started. */
    double millis() {
        return (System.nanoTime() - begin) / 1e6;
    }

    /** Its output is no longer needed, but a full pipe would stop it. */
    void ignoreTheRest() {
        Thread.ofVirtual().start(this::readOn);
    }

    private void readOn() {
        try {
            while (lines.readLine() != null) {}
        } catch (IOException closed) {
            // It has ended.
        }
    }

    /** Lets what runs once after a start be over. */
    void settle() throws InterruptedException {
        Thread.sleep(SETTLED);
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().join();
    }
}
