package dev.skep.benchmark.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.session.LogEntry;
import dev.skep.models.Models;
import dev.skep.models.table.ConfiguredModels;
import dev.skep.models.table.ModelTable;
import dev.skep.runner.acp.AcpConnection;
import dev.skep.runner.acp.AcpException;
import dev.skep.runner.acp.AcpHandler;
import dev.skep.runner.acp.PermissionOutcome;
import dev.skep.runner.acp.PermissionRequest;
import dev.skep.runner.acp.SessionUpdate;
import dev.skep.runner.loop.AgentListener;
import dev.skep.shell.BashShells;
import dev.skep.testkit.acp.FixtureAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A turn through a managed agent, and the same turn through nothing but the protocol. */
final class ManagedTurns implements AutoCloseable {
    /** The medians of both, in milliseconds. */
    record Times(double managed, double bare) {}

    private static final int WARM_UP = 5;
    private static final String ANSWER = "!pieces 100 5 " + "seven c".repeat(100);

    private final BlockingQueue<LogEntry> ends = new LinkedBlockingQueue<>();
    private final LoadedRunner loaded;
    private final Process bareAgent;
    private final AcpConnection bare;
    private final String session;

    private ManagedTurns(Path folder) throws IOException, InterruptedException, AcpException {
        FixtureRuntime.write(folder, 1, "!say ready");
        AgentListener listener =
                new AgentListener() {
                    @Override
                    public void logged(Agent agent, LogEntry entry) {
                        if (entry.type() == LogEntry.Type.TURN_END) {
                            ends.add(entry);
                        }
                    }
                };
        loaded = new LoadedRunner(folder, noModels(folder), trustedShells(), listener);
        Path bareFolder = Files.createDirectories(folder.resolve("bare"));
        var builder = new ProcessBuilder(FixtureAgent.command()).directory(bareFolder.toFile());
        builder.environment().put("HOME", bareFolder.toString());
        bareAgent = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        bare =
                AcpConnection.over(
                        bareAgent.getInputStream(), bareAgent.getOutputStream(), new Unmoved());
        bare.initialize("bench", "1");
        session = bare.newSession(bareFolder.toString(), List.of()).sessionId();
    }

    /** The medians of so many turns of each, in alternation. */
    static Times measure(Path folder, int turns)
            throws IOException, InterruptedException, AcpException {
        try (var both = new ManagedTurns(folder)) {
            both.loaded.runner.start();
            both.awaitEnd();
            double[] managed = new double[turns];
            double[] bare = new double[turns];
            for (int i = -WARM_UP; i < turns; i++) {
                double through = both.managedTurn();
                double direct = both.bareTurn();
                if (i >= 0) {
                    managed[i] = through;
                    bare[i] = direct;
                }
            }
            return new Times(median(managed), median(bare));
        }
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    static Models noModels(Path folder) {
        return new ConfiguredModels(
                () -> ModelTable.read(folder.resolve("models.yaml")),
                _ -> Optional.empty(),
                InstantSource.system());
    }

    private static BashShells trustedShells() {
        return BashShells.trusted(Map.of("PATH", System.getenv("PATH")), new SecureRandom());
    }

    /** From what a person says until the end of the turn is stored. */
    private double managedTurn() throws InterruptedException, IOException {
        long begun = System.nanoTime();
        loaded.runner.controls("agent000").orElseThrow().talk("\n" + ANSWER);
        awaitEnd();
        return (System.nanoTime() - begun) / 1e6;
    }

    private void awaitEnd() throws InterruptedException, IOException {
        if (ends.poll(60, TimeUnit.SECONDS) == null) {
            throw new IOException("the managed agent ended no turn in a minute");
        }
    }

    private double bareTurn() throws InterruptedException, AcpException {
        long begun = System.nanoTime();
        bare.prompt(session, ANSWER);
        return (System.nanoTime() - begun) / 1e6;
    }

    @Override
    public void close() {
        bare.close();
        bareAgent.destroyForcibly();
        loaded.close();
    }

    /** Reads what the agent says, and does nothing about it. */
    private static final class Unmoved implements AcpHandler {
        @Override
        public void updated(String sessionId, SessionUpdate update) {}

        @Override
        public PermissionOutcome permission(PermissionRequest request) {
            return new PermissionOutcome.Cancelled();
        }

        @Override
        public void closed(String why) {}
    }
}
