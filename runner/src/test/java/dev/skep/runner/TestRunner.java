package dev.skep.runner;

import dev.skep.agents.AgentTables;
import dev.skep.agents.session.LogEntry;
import dev.skep.directory.HostTable;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.UlidSource;
import dev.skep.models.Models;
import dev.skep.models.money.SpendLimit;
import dev.skep.models.provider.ModelRoutes;
import dev.skep.shell.BashShells;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.SyncTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A whole runner on a data folder: real SQLite, real bash, and models the test plays. */
public final class TestRunner implements AutoCloseable {
    public static final InstantSource CLOCK = Clock.systemUTC();

    public final Database database;
    public final LocalHost host;
    public final EventBus eventBus = new EventBus();
    public final AgentRecorder recorder = new AgentRecorder();
    public final Runner runner;

    private TestRunner(
            Path dataDir,
            Models models,
            Map<String, String> environment,
            @Nullable SpendLimit limit) {
        UlidSource ids = new UlidSource(CLOCK, new Random());
        database = Databases.open(new DatabaseUrl.Sqlite(dataDir.resolve("runner.db")), CLOCK);
        List<dev.skep.kernel.row.SyncTable> tables = new ArrayList<>(AgentTables.ALL);
        tables.add(HostTable.HOSTS);
        host =
                LocalHost.open(
                        database,
                        new SyncTables(tables),
                        new FeedClock(CLOCK, new Random()),
                        ids,
                        CLOCK,
                        new SecureRandom(),
                        new LocalHost.Config(dataDir, "host-1", HostKind.RUNNER));
        BashShells shells =
                BashShells.trusted(Map.of("PATH", System.getenv("PATH")), new SecureRandom());
        ModelRoutes routes =
                models instanceof ModelRoutes known
                        ? known
                        : (_, _) -> new ModelRoutes.Route.Unknown();
        runner =
                new Runner(
                        new RunnerConfig(dataDir, environment, limit, Duration.ZERO),
                        new Runner.Parts(
                                database,
                                host,
                                ids,
                                CLOCK,
                                new Random(7),
                                eventBus,
                                models,
                                shells,
                                recorder,
                                routes,
                                "test"));
    }

    public static TestRunner start(Path dataDir, Models models) {
        return start(dataDir, models, Map.of(), null);
    }

    public static TestRunner start(
            Path dataDir,
            Models models,
            Map<String, String> environment,
            @Nullable SpendLimit limit) {
        TestRunner runner = new TestRunner(dataDir, models, environment, limit);
        runner.runner.start();
        return runner;
    }

    /** Writes an agent's file before the start. */
    public static void agent(Path dataDir, String path, String yaml) {
        try {
            Path file = dataDir.resolve("agents").resolve(path + ".yaml");
            Files.createDirectories(file.getParent());
            Files.writeString(file, yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The whole log of an agent, as "type: message". */
    public List<String> log(String username) {
        return runner
                .stores()
                .log()
                .tail(
                        host.principal(),
                        runner.agents().stream()
                                .filter(a -> a.username().equals(username))
                                .findFirst()
                                .orElseThrow()
                                .id(),
                        null,
                        100_000)
                .stream()
                .map(TestRunner::line)
                .toList();
    }

    public static String line(LogEntry entry) {
        return entry.type() + ": " + entry.message();
    }

    @Override
    public void close() {
        runner.close();
        database.close();
    }
}
