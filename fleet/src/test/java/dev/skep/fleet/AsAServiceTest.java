package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.Main;
import dev.skep.testkit.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AsAServiceTest {
    @Test
    void a_journal_gets_no_link_that_signs_in_and_a_terminal_gets_one(@TempDir Path folder)
            throws Exception {
        assertThat(toldBy(folder.resolve("journal"), "8:1234"))
                .contains("sign in with the link of: skep operators sign-in-link admin")
                .doesNotContain("/sign-in#");
        assertThat(toldBy(folder.resolve("terminal"), "")).contains("/sign-in#skep_signin_");
    }

    /** What a hub says up to the line about signing in. */
    private static String toldBy(Path dataDir, String journal) throws IOException {
        ProcessBuilder builder =
                JavaCommand.process(
                        Main.class,
                        "hub",
                        "--supervisor",
                        "--listen",
                        "127.0.0.1:0",
                        "--registry-port",
                        "none",
                        "--data-dir",
                        dataDir.toString());
        builder.environment().remove("JOURNAL_STREAM");
        if (!journal.isEmpty()) {
            builder.environment().put("JOURNAL_STREAM", journal);
        }
        Process hub = builder.redirectErrorStream(true).start();
        try (BufferedReader lines = hub.inputReader()) {
            List<String> told = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                told.add(line);
                if (line.contains("sign in")) {
                    break;
                }
            }
            return String.join("\n", told);
        } finally {
            hub.destroyForcibly();
            hub.onExit().join();
        }
    }
}
