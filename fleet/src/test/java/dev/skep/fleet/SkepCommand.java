package dev.skep.fleet;

import dev.skep.app.Main;
import dev.skep.testkit.JavaCommand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A command of the product as a process of its own. */
final class SkepCommand {
    /** How a command ended, and what it said. */
    record Ended(int status, String said) {}

    private SkepCommand() {}

    static Process start(String... arguments) throws IOException {
        return JavaCommand.process(Main.class, arguments).redirectErrorStream(true).start();
    }

    static Ended run(String... arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        try (InputStream out = process.getInputStream()) {
            String said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), said);
        }
    }
}
