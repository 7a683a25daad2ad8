package dev.skep.benchmark.runner;

import com.sun.management.OperatingSystemMXBean;
import dev.skep.agents.Agent;
import dev.skep.agents.session.LogEntry;
import dev.skep.models.table.ConfiguredModels;
import dev.skep.models.table.ModelTable;
import dev.skep.runner.loop.AgentListener;
import dev.skep.shell.BashShells;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * A process of its own, with a runner's memory settings: so many scripted agents, each a turn a
 * second with a real command, for so many seconds. Prints its figures as {@code name value} lines.
 */
final class ManyAgents {
    private static final Duration WARM_UP = Duration.ofSeconds(15);

    private ManyAgents() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        int agents = Integer.parseInt(arguments[1]);
        Duration length = Duration.ofSeconds(Long.parseLong(arguments[2]));
        LoadedRunner.writeAgents(
                folder,
                agents,
                "prompt: Count.\nmodel: scripted:count.script.yaml\nturn_delay: 1s\n");
        Files.writeString(
                folder.resolve("agents/count.script.yaml"),
                "steps:\n  - when: { summary: true }\n    say: I count.\n  - run: ['echo turn {{turn}}']\n");
        var logged = new LongAdder();
        var outputs = new LongAdder();
        AgentListener agentListener =
                new AgentListener() {
                    @Override
                    public void logged(Agent agent, LogEntry entry) {
                        logged.increment();
                        if (entry.type() == LogEntry.Type.OUTPUT) {
                            outputs.increment();
                        }
                    }
                };
        var models =
                new ConfiguredModels(
                        () -> ModelTable.read(folder.resolve("models.yaml")),
                        name -> Optional.empty(),
                        InstantSource.system());
        var shells = BashShells.isolated(Map.of("PATH", System.getenv("PATH")), new SecureRandom());
        LoadedRunner loaded = new LoadedRunner(folder, models, shells, agentListener);
        loaded.runner.start();
        Thread.sleep(WARM_UP);
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long childCpu = shellTicks();
        long turns = outputs.sum();
        long begin = System.nanoTime();
        Thread.sleep(length);
        double seconds = (System.nanoTime() - begin) / 1e9;
        double runnerCores = (system.getProcessCpuTime() - cpu) / 1e9 / seconds;
        double shellCores = (shellTicks() - childCpu) / 100.0 / seconds;
        double turnsPerSecond = (outputs.sum() - turns) / seconds;
        long megabytes = residentKilobytes() / 1024;
        loaded.runner.close();
        long stored =
                loaded.database.read(
                        snapshot ->
                                snapshot.first(
                                                "SELECT count(*) FROM context_log",
                                                row -> row.number(1))
                                        .orElseThrow());
        loaded.database.close();
        System.out.printf("turns_per_s %.1f%n", turnsPerSecond);
        System.out.printf("cores %.3f%n", runnerCores);
        System.out.printf("shell_cores %.3f%n", shellCores);
        System.out.printf("mb %d%n", megabytes);
        System.out.printf("lost %d%n", logged.sum() - stored);
        System.exit(0);
    }

    static long residentKilobytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** Processor time of the agents' shells and all they waited for, in hundredths of a second. */
    private static long shellTicks() {
        return ProcessHandle.current()
                .descendants()
                .mapToLong(process -> ticks(process.pid()))
                .sum();
    }

    private static long ticks(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long sum = 0;
            for (int i = 11; i <= 14; i++) {
                sum += Long.parseLong(fields[i]);
            }
            return sum;
        } catch (IOException gone) {
            return 0;
        }
    }
}
