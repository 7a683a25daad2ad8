package dev.skep.conformance.registry;

import dev.skep.app.Main;
import dev.skep.testkit.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;

/** {@code skep registry} as a process of its own, to be killed. */
final class RegistryProcess implements AutoCloseable {
    private final Process process;

    RegistryProcess(Path folder, int port) throws IOException {
        ProcessBuilder builder =
                JavaCommand.process(
                        Main.class,
                        "registry",
                        "--data-dir",
                        folder.toString(),
                        "--port",
                        Integer.toString(port));
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
