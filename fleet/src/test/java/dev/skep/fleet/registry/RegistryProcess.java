package dev.skep.fleet.registry;

import dev.skep.app.Main;
import dev.skep.testkit.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** {@code skep registry} as a process of its own, to be killed. */
final class RegistryProcess implements AutoCloseable {
    private final Process process;
    private final List<String> told = new CopyOnWriteArrayList<>();

    RegistryProcess(Path folder, int port, String... flags) throws IOException {
        this(folder, List.of(), port, flags);
    }

    /** With flags for its JVM too. */
    RegistryProcess(Path folder, List<String> jvmFlags, int port, String... flags)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of("registry", "--port", "" + port));
        arguments.addAll(List.of("--data-dir", folder.toString()));
        arguments.addAll(List.of(flags));
        List<String> command =
                new ArrayList<>(JavaCommand.of(Main.class, arguments.toArray(String[]::new)));
        command.addAll(1, jvmFlags);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("HOME", folder.toString());
        builder.environment().remove("HYPI_TOKEN");
        process = builder.start();
        BufferedReader err = process.errorReader();
        String line = err.readLine();
        while (line != null && !line.contains("Hypivisor online")) {
            told.add(line);
            line = err.readLine();
        }
        if (line == null) {
            throw new IOException("the registry did not start: " + told);
        }
        Thread.startVirtualThread(() -> drain(err));
    }

    /** The lines of standard error that say this. */
    List<String> told(String words) {
        return told.stream().filter(line -> line.contains(words)).toList();
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** As a service manager does; the exit status. */
    int terminate() throws InterruptedException {
        process.destroy();
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** A full pipe would stop the process. */
    private void drain(BufferedReader reader) {
        try {
            for (String line = reader.readLine(); line != null; ) {
                told.add(line);
                line = reader.readLine();
            }
        } catch (IOException ended) {
            // with the process
        }
    }
}
