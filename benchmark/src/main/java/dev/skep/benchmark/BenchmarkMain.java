package dev.skep.benchmark;

import dev.skep.benchmark.control.ControlBenchmark;
import dev.skep.benchmark.dispatch.DispatchBenchmark;
import dev.skep.benchmark.registry.RegistryBenchmark;
import dev.skep.benchmark.runner.AgentsBenchmark;
import dev.skep.benchmark.runner.RunnerBenchmark;
import dev.skep.benchmark.start.StartBenchmark;
import dev.skep.benchmark.store.StoreBenchmark;
import dev.skep.benchmark.sync.SyncBenchmark;
import dev.skep.benchmark.ui.UiBenchmark;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code ./skep bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures Skep beside its peers, in one run on this machine.",
        footer =
                "%nExit code 1 when a goal is missed. Figures are explained in docs/benchmarks.md.")
final class BenchmarkMain implements Callable<Integer> {
    private static final List<Benchmark> ALL =
            List.of(
                    new StoreBenchmark(),
                    new SyncBenchmark(),
                    new RunnerBenchmark(),
                    new AgentsBenchmark(),
                    new RegistryBenchmark(),
                    new DispatchBenchmark(),
                    new ControlBenchmark(),
                    new UiBenchmark(),
                    new StartBenchmark());

    @Parameters(
            arity = "0..*",
            paramLabel = "NAME",
            description =
                    "Which benchmarks; without a name, all: store, sync, runner, agents, registry, dispatch, control, ui, start.")
    List<String> names = List.of();

    @Option(names = "--quick", description = "The same work at a tenth of the size.")
    boolean quick;

    @Option(names = "--json", description = "One JSON object per figure and line.")
    boolean json;

    private BenchmarkMain() {}

    @Override
    public Integer call() throws Exception {
        for (String name : names) {
            if (ALL.stream().noneMatch(benchmark -> benchmark.name().equals(name))) {
                System.err.printf(
                        "skep bench: there is no benchmark '%s'; choose from %s%n",
                        name, ALL.stream().map(Benchmark::name).toList());
                return 2;
            }
        }
        BenchmarkReport report = new BenchmarkReport(System.out, System.err, json);
        System.err.println(BenchmarkMachine.describe());
        for (Benchmark benchmark : ALL) {
            if (names.isEmpty() || names.contains(benchmark.name())) {
                benchmark.run(report, quick);
            }
        }
        return report.allHold() ? 0 : 1;
    }

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new BenchmarkMain()).execute(arguments));
    }
}
