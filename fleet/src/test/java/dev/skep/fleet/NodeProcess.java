package dev.skep.fleet;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.DatabaseInspection;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A hub or a runner as a process to be killed. A runner writes mail and log lines without end and
 * says which it was told are stored: {@code mail ID}, {@code log ID}. One with agents leaves that
 * to them; an elder speaks to its hub as the version did that made its data dir.
 */
final class NodeProcess {
    private NodeProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        Path dataDir = Path.of(arguments[1]);
        if (arguments[0].equals("hub")) {
            int port = Integer.parseInt(arguments[2]);
            HubNode hub =
                    arguments.length > 3
                            ? HubNode.behind(arguments[3], dataDir, port)
                            : HubNode.open(dataDir, port);
            System.out.println("hub " + hub.url);
            Thread.currentThread().join();
        }
        if (arguments[0].equals("agents")) {
            Assembly.Opened whole = withAgents(dataDir, arguments[2]);
            System.out.printf("runner %s %s%n", whole.url(), whole.main().host().id());
            Thread.currentThread().join();
        }
        String name = String.valueOf(dataDir.getFileName());
        RunnerNode runner =
                arguments[0].equals("elder")
                        ? RunnerNode.elder(dataDir, name, arguments[2], schemaIn(dataDir))
                        : RunnerNode.open(dataDir, name, arguments[2]);
        System.out.println("runner " + runner.id());
        var _ =
                Executors.newSingleThreadScheduledExecutor()
                        .scheduleWithFixedDelay(() -> write(runner), 0, 2, TimeUnit.MILLISECONDS);
    }

    private static int schemaIn(Path dataDir) {
        return DatabaseInspection.of(new DatabaseUrl.Sqlite(dataDir.resolve("runner.db"))).schema();
    }

    private static Assembly.Opened withAgents(Path dataDir, String hub) {
        String name = String.valueOf(dataDir.getFileName());
        return new Assembly(
                        TestSettings.runnerWithAgents(dataDir, name, hub),
                        new Lifecycle(),
                        dataDir,
                        "test")
                .open(Composition.run(false, false), Terminal.none());
    }

    private static void write(RunnerNode runner) {
        System.out.println("mail " + runner.fleetRows.mail("a word"));
        System.out.println("log " + runner.fleetRows.log("a line"));
    }
}
