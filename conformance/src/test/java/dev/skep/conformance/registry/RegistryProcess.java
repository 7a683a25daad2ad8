package dev.skep.conformance.registry;

import dev.skep.app.Main;
import dev.skep.testkit.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code skep registry} as a process of its own, to be killed. */
final class RegistryProcess implements AutoCloseable {
    private final Process process;

    RegistryProcess(Path folder, int port, String... flags) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("registry", "--port", "" + port));
        arguments.addAll(List.of("--data-dir", folder.toString()));
        arguments.addAll(List.of(flags));
        ProcessBuilder builder = JavaCommand.process(Main.class, arguments.toArray(String[]::new));
        builder.environment().put("HOME", folder.toString());
        builder.environment().remove("HYPI_TOKEN");
        process = builder.start();
        BufferedReader err = process.errorReader();
        String line = err.readLine();
        while (line != null && !line.contains("Hypivisor online")) {
            line = err.readLine();
        }
        if (line == null) {
            throw new IOException("the registry did not start");
        }
        Thread.startVirtualThread(() -> drain(err));
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
