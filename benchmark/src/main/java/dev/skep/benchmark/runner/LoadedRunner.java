package dev.skep.benchmark.runner;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.row.SyncTable;
import dev.skep.models.Models;
import dev.skep.runner.Runner;
import dev.skep.runner.RunnerConfig;
import dev.skep.runner.loop.AgentListener;
import dev.skep.shell.Shells;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.SyncTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A whole runner over a scratch folder, with as many agents as asked for. */
public final class LoadedRunner implements AutoCloseable {
    final Database database;
    public final Runner runner;

    public LoadedRunner(Path folder, Models models, Shells shells, AgentListener agentListener) {
        InstantSource clock = InstantSource.system();
        var random = new SecureRandom();
        database = Databases.open(new DatabaseUrl.Sqlite(folder.resolve("runner.db")), clock);
        List<SyncTable> tables = new ArrayList<>(AgentTables.ALL);
        tables.add(HostTable.HOSTS);
        var ids = new UlidSource(clock, random);
        LocalHost host =
                LocalHost.open(
                        database,
                        new SyncTables(tables),
                        new FeedClock(clock, random),
                        ids,
                        clock,
                        random,
                        new LocalHost.Config(folder, "bench", HostKind.RUNNER));
        runner =
                new Runner(
                        new RunnerConfig(folder, Map.of(), null, Duration.ZERO),
                        new Runner.Parts(
                                database,
                                host,
                                ids,
                                clock,
                                random,
                                new EventBus(),
                                models,
                                shells,
                                agentListener));
    }

    public static void writeAgents(Path folder, int count, String yaml) throws IOException {
        Path agents = Files.createDirectories(folder.resolve("agents"));
        for (int i = 0; i < count; i++) {
            Files.writeString(agents.resolve("agent%03d.yaml".formatted(i)), yaml);
        }
    }

    @Override
    public void close() {
        runner.close();
        database.close();
    }
}
