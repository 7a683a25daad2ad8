package dev.skep.fleet.agent;

import dev.skep.testkit.provider.FakeProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./skep check-runtimes}: what each installed coding agent does in the product. */
@Command(
        name = "check-runtimes",
        mixinStandardHelpOptions = true,
        description =
                "Runs the coding agents that are installed in the product, with a model that is not"
                        + " there, and prints what works; exit code 1 if something does not.")
public final class CheckRuntimes implements Callable<Integer> {
    @Parameters(
            paramLabel = "NAME",
            arity = "0..*",
            description =
                    "Runtimes: opencode, pi, claude, codex, gemini; all that are installed if left out.")
    private List<String> names = List.of();

    @Option(
            names = "--fake",
            required = true,
            description =
                    "With a model of this machine that costs nothing; there is no other way yet.")
    private boolean fake;

    @Option(names = "--keep", description = "Leaves the data dirs, and says where they are.")
    private boolean keep;

    @Spec private CommandSpec spec = CommandSpec.create();

    /** Ends with the exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new CheckRuntimes()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (!fake) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--fake is the only way there is");
        }
        AgentPackages packages = AgentPackages.here();
        boolean all = true;
        for (WalkedRuntime runtime : chosen()) {
            if (!runtime.isInstalled(packages)) {
                out.printf("%-9s not installed here%n", runtime.runtime());
                continue;
            }
            for (RuntimeWalk.Found found : walk(runtime, packages)) {
                all &= found.works();
            }
        }
        return all ? 0 : 1;
    }

    private List<WalkedRuntime> chosen() {
        if (names.isEmpty()) {
            return List.of(WalkedRuntime.values());
        }
        List<WalkedRuntime> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(
                    WalkedRuntime.named(name)
                            .orElseThrow(
                                    () ->
                                            new CommandLine.ParameterException(
                                                    spec.commandLine(),
                                                    "no such runtime is known here: " + name)));
        }
        return chosen;
    }

    private List<RuntimeWalk.Found> walk(WalkedRuntime runtime, AgentPackages packages)
            throws IOException {
        Path folder = Files.createTempDirectory("skep-" + runtime.runtime());
        try (FakeProvider provider = new FakeProvider(new CodingModel());
                AgentHost host = AgentHost.start(folder, "box", packages, provider, Map.of())) {
            return RuntimeWalk.of(runtime, host, provider, found -> print(runtime, found));
        } finally {
            if (keep) {
                spec.commandLine().getErr().println(runtime.runtime() + ": " + folder);
            } else {
                delete(folder);
            }
        }
    }

    private void print(WalkedRuntime runtime, RuntimeWalk.Found found) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%-9s %-26s %-4s %s%n",
                runtime.runtime(),
                found.step().means,
                found.works() ? "yes" : "NO",
                found.seen().replaceAll("\\s+", " "));
        out.flush();
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }
}
