package dev.skep.app.command;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.admin.AdminApi;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.Setting;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.id.HostId;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeRegistration;
import dev.skep.registry.wire.StateWriter;
import dev.skep.runner.terminal.Terminal;
import dev.skep.store.engine.SqliteLibrary;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Walks through what a start needs, so that the JVM records it for the AOT cache. The launcher runs
 * it with a folder of its own; what it prints goes nowhere.
 */
@Command(name = "train", hidden = true, description = "Exercises the program for its AOT cache.")
final class TrainCommand implements Callable<Integer> {
    private static final int NODES = 5_000;

    /** A cache's classes are all loaded at each start, so a hub gets one without the rest. */
    private static final String OF_HUBS = "g1";

    private static final List<String> PAGE_FILES =
            List.of("/", "/assets/app.js", "/assets/style/app.css", "/assets/core/lit.js");

    private static final List<String> VIEWS =
            List.of(
                    "/api/supervisor",
                    "/api/orgs/default/view/agents",
                    "/api/orgs/default/view/jobs",
                    "/api/orgs/default/view/hosts");

    private final CommandContext context;

    @Parameters(
            index = "0",
            paramLabel = "FOLDER",
            description = "A scratch folder, removed by the caller.")
    private String folder = "";

    @Parameters(
            index = "1",
            paramLabel = "PROFILE",
            arity = "0..1",
            description = "What the launcher calls the cache.")
    private String profile = "";

    TrainCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        SqliteLibrary.copyTo(Path.of(folder, "native"));
        CommandContext silent = silent();
        if (profile.equals(OF_HUBS)) {
            ServiceArguments.read("hub", "--quiet", "--listen", "127.0.0.1:0");
            serve(silent, Composition.hubOnly(true), url -> askPlainly(url, "/healthz"));
        } else {
            everything(silent);
        }
        return ExitStatus.OK.status();
    }

    private void everything(CommandContext silent) throws IOException, InterruptedException {
        Program.run(silent, "--help");
        ServiceArguments.read("up", "--quiet", "--listen", "127.0.0.1:0");
        Program.run(silent, "config", "--data-dir", folder);
        Program.run(silent, "registry", "import", roster().toString(), "--data-dir", folder);
        serve(
                silent,
                Composition.UP,
                url -> {
                    // Over HTTP, like any command to a running process.
                    Program.run(silent, "hosts", "self", "--data-dir", folder);
                    Program.run(silent, "operators", "list", "--data-dir", folder);
                    lookAtPages(silent, url);
                });
    }

    /** After starting a service, people mostly open its pages next. */
    private void lookAtPages(CommandContext silent, URI url) {
        PAGE_FILES.forEach(file -> askPlainly(url, file));
        try (AdminApi api = silent.admin(configuration(silent), HostKind.HUB)) {
            VIEWS.forEach(api::get);
        }
    }

    /** Starts as a service does, and ends when it has been visited. */
    private void serve(CommandContext silent, Composition parts, Consumer<URI> visit)
            throws InterruptedException {
        Configuration configuration = configuration(silent);
        ServiceCommand.run(
                silent,
                lifecycle -> {
                    Assembly.Opened opened =
                            new Assembly(
                                            configuration,
                                            lifecycle,
                                            Path.of(folder),
                                            Program.version())
                                    .open(parts, Terminal.none());
                    visit.accept(URI.create(opened.url()));
                    Thread.ofVirtual().start(lifecycle::close);
                    return opened.lines();
                });
    }

    private Configuration configuration(CommandContext silent) {
        var flags = new SettingFlags();
        flags.give(Setting.DATA_DIR, folder);
        // Any free port: the process that has this one trained may be listening already.
        flags.give(Setting.LISTEN, "127.0.0.1:0");
        flags.give(Setting.REGISTRY_PORT, "0");
        return silent.configuration(flags);
    }

    /** Without the JDK's client, which is large and which a hub that starts does not need. */
    private static void askPlainly(URI url, String path) {
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            String request =
                    "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                            .formatted(path, url.getAuthority());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A roster long enough for the JVM to see what reading one takes. */
    private Path roster() throws IOException {
        Path file = Path.of(folder, "roster.json");
        HostId anyHost = new HostId("train");
        try (var document =
                new StateWriter(Files.newOutputStream(file), context.clock().instant())) {
            for (int i = 0; i < NODES; i++) {
                var registration = new NodeRegistration("node-" + i, "machine", "/work", i, 1L);
                document.node(Node.first(anyHost, registration, context.clock().instant()));
            }
            document.connections();
            document.stats();
        }
        return file;
    }

    // Without the user's configuration: training must not join a real hub.
    private CommandContext silent() {
        var nowhere = new PrintWriter(Writer.nullWriter());
        return new CommandContext(
                Map.of(),
                Path.of(folder),
                Path.of(folder),
                context.clock(),
                nowhere,
                nowhere,
                context.stopped(),
                new AtomicReference<>());
    }
}
