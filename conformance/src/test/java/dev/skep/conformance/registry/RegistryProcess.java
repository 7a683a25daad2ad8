package dev.skep.conformance.registry;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code skep registry} as a process of its own, to be killed. */
final class RegistryProcess implements AutoCloseable {
    private final Process process;

    RegistryProcess(Path folder, int port) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.skep.app.Main",
                                "registry",
                                "--data-dir",
                                folder.toString(),
                                "--port",
                                Integer.toString(port)));
        ProcessBuilder builder = new ProcessBuilder(command);
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
        Thread.startVirtualThread(() -> err.lines().forEach(ignored -> {}));
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
}
