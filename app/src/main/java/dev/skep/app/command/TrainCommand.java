package dev.skep.app.command;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.assembly.Terminal;
import dev.skep.app.config.Setting;
import dev.skep.kernel.error.Exit;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.Registration;
import dev.skep.registry.wire.StateWriter;
import dev.skep.store.engine.SqliteLibrary;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Walks through what a start needs, so that the JVM records it for the AOT cache. The launcher runs
 * it with a folder of its own; what it prints goes nowhere.
 */
@Command(name = "train", hidden = true, description = "Exercises the program for its AOT cache.")
final class TrainCommand implements Callable<Integer> {
    private static final int NODES = 5_000;

    private final CommandContext context;

    @Parameters(paramLabel = "FOLDER", description = "A scratch folder, removed by the caller.")
    private String folder = "";

    TrainCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        CommandContext silent = silent();
        SqliteLibrary.copyTo(Path.of(folder, "native"));
        Program.run(silent, "--help");
        ServiceLine.read("up", "--quiet", "--listen", "127.0.0.1:0");
        Program.run(silent, "config", "--data-dir", folder);
        Program.run(silent, "registry", "import", roster().toString(), "--data-dir", folder);
        var flags = new SettingFlags();
        flags.give(Setting.DATA_DIR, folder);
        // Any free port: the process that has this one trained may be listening already.
        flags.give(Setting.LISTEN, "127.0.0.1:0");
        flags.give(Setting.REGISTRY_PORT, "0");
        try (var lifecycle = new Lifecycle()) {
            new Assembly(silent.configuration(flags), lifecycle, Path.of(folder), Program.version())
                    .open(Composition.UP, Terminal.none());
            // Over HTTP, like any command to a running process.
            Program.run(silent, "hosts", "self", "--data-dir", folder);
            Program.run(silent, "operators", "list", "--data-dir", folder);
        }
        return Exit.OK.status();
    }

    /** A roster long enough for the JVM to see what reading one takes. */
    private Path roster() throws IOException {
        Path file = Path.of(folder, "roster.json");
        HostId anyHost = new HostId("train");
        try (var document =
                new StateWriter(Files.newOutputStream(file), context.clock().instant())) {
            for (int i = 0; i < NODES; i++) {
                var registration = new Registration("node-" + i, "machine", "/work", i, 1L);
                document.node(Node.first(anyHost, registration, context.clock().instant()));
            }
            document.connections();
            document.stats();
        }
        return file;
    }

    // Nothing of the user's set-up gets in: training must not join anybody's hub.
    private CommandContext silent() {
        var nowhere = new PrintWriter(Writer.nullWriter());
        return new CommandContext(
                Map.of(),
                Path.of(folder),
                Path.of(folder),
                context.clock(),
                nowhere,
                nowhere,
                new AtomicReference<>());
    }
}
