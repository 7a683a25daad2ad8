package dev.skep.benchmark.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.session.LogEntry;
import dev.skep.runner.loop.AgentListener;
import dev.skep.shell.BashShells;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A process of its own, with a runner's memory settings, whose managed agents all start at once and
 * answer. Prints its figures as {@code name value} lines.
 */
final class FiftyAgents {
    static final int AGENTS = 50;
    private static final long PATIENCE_SECONDS = 300;

    private FiftyAgents() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        FixtureRuntime.write(folder, AGENTS, "!pieces 10 5 a few words");
        var answered = new CountDownLatch(AGENTS);
        Set<String> ended = ConcurrentHashMap.newKeySet();
        AgentListener listener =
                new AgentListener() {
                    @Override
                    public void logged(Agent agent, LogEntry entry) {
                        if (entry.type() == LogEntry.Type.TURN_END && ended.add(agent.username())) {
                            answered.countDown();
                        }
                    }
                };
        var shells = BashShells.isolated(Map.of("PATH", System.getenv("PATH")), new SecureRandom());
        var loaded = new LoadedRunner(folder, ManagedTurns.noModels(folder), shells, listener);
        long begun = System.nanoTime();
        loaded.runner.start();
        boolean all = answered.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        double millis = (System.nanoTime() - begun) / 1e6;
        long megabytes = ManyAgents.residentKilobytes() / 1024;
        loaded.close();
        if (!all) {
            throw new IOException(ended.size() + " of " + AGENTS + " answered");
        }
        System.out.printf("ms %.0f%n", millis);
        System.out.printf("resident_mb %d%n", megabytes);
        System.exit(0);
    }
}
