package dev.skep.app.command;

import dev.skep.app.assembly.StoppedProcess;
import dev.skep.app.assembly.SystemTime;
import dev.skep.cli.command.CommandContext;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Where commands run that are tested: at home in one folder, printing onto paper. */
final class TestContext {
    private TestContext() {}

    static CommandContext of(
            Map<String, String> environment, Path home, StringWriter out, StringWriter err) {
        return new CommandContext(
                environment,
                home,
                home,
                SystemTime.clock(),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                StoppedProcess::open,
                new AtomicReference<>());
    }
}
