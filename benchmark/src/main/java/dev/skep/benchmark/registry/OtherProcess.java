package dev.skep.benchmark.registry;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A Java process that says on standard error when it is ready, and ends with its owner. */
final class OtherProcess implements AutoCloseable {
    private final Process process;
    private final String readyLine;

    private OtherProcess(Process process, String readyLine) {
        this.process = process;
        this.readyLine = readyLine;
    }

    static OtherProcess start(Path home, String ready, String mainClass, String... arguments)
            throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                ProcessHandle.current().info().command().orElse("java"),
                                "-XX:+UseSerialGC",
                                "-Xmx1g",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                mainClass));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("HOME", home.toString());
        builder.environment().remove("HYPI_TOKEN");
        Process process = builder.start();
        BufferedReader err = process.errorReader();
        String line = err.readLine();
        while (line != null && !line.contains(ready)) {
            line = err.readLine();
        }
        if (line == null) {
            throw new IOException(mainClass + " did not start");
        }
        Thread.startVirtualThread(() -> drain(err));
        return new OtherProcess(process, line);
    }

    /** {@code skep registry} on a data dir and any free port. */
    static OtherProcess registry(Path folder) throws IOException {
        return start(
                folder,
                "Hypivisor online",
                "dev.skep.app.Main",
                "registry",
                "--port",
                "0",
                "--data-dir",
                folder.toString());
    }

    /** The port named last in the line that said it is ready. */
    int port() {
        return Integer.parseInt(readyLine.replaceFirst(".*:([0-9]+).*", "$1"));
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(Duration.ofSeconds(10))) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** A full pipe would stop the process. */
    private static void drain(BufferedReader reader) {
        try {
            for (String line = reader.readLine(); line != null; ) {
                line = reader.readLine();
            }
        } catch (IOException ended) {
            // with the process
        }
    }
}
