package dev.skep.fleet;

import dev.skep.app.Main;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A command of the product as a process of its own. */
final class SkepCommand {
    /** How a command ended, and what it said. */
    record Ended(int status, String said) {}

    private SkepCommand() {}

    static Process start(String... arguments) throws IOException {
        List<String> line =
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
        line.addAll(List.of(arguments));
        return new ProcessBuilder(line).redirectErrorStream(true).start();
    }

    static Ended run(String... arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        try (InputStream out = process.getInputStream()) {
            String said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), said);
        }
    }
}
