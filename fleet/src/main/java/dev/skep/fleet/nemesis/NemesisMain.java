package dev.skep.fleet.nemesis;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./skep nemesis}: a fleet of real processes under faults chosen by a seed. */
@Command(
        name = "nemesis",
        mixinStandardHelpOptions = true,
        description =
                "Runs hubs and runners as processes under load and faults, then compares all"
                        + " databases with what was acknowledged; exit code 1 if something is wrong.")
public final class NemesisMain implements Callable<Integer> {
    private static final int INTERRUPTED = 130;

    @Option(names = "--minutes", description = "How long faults come (default: ${DEFAULT-VALUE}).")
    private double minutes = 2;

    @Option(
            names = "--seed",
            description = "Chooses the faults; the same seed is the same schedule (default: any).")
    private @Nullable Long seed;

    @Option(names = "--hubs", description = "How many hubs (default: ${DEFAULT-VALUE}).")
    private int hubs = 2;

    @Option(names = "--runners", description = "How many runners (default: ${DEFAULT-VALUE}).")
    private int runners = 3;

    @Option(
            names = "--without",
            split = ",",
            paramLabel = "KIND",
            description = "Kinds of faults to leave out.")
    private List<String> without = List.of();

    @Option(names = "--plan", description = "Shows the schedule and does nothing.")
    private boolean showsPlan;

    @Option(names = "--json", description = "Prints the summary as JSON.")
    private boolean json;

    @Spec private CommandSpec spec = CommandSpec.create();

    /** Ends with the exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new NemesisMain()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        require(minutes > 0 && minutes <= 24 * 60, "--minutes must be above 0, a day at most");
        require(hubs > 0 && runners > 0, "there must be a hub and a runner");
        require(
                FaultEffect.KINDS.containsAll(without),
                "--without takes kinds of faults: " + FaultEffect.KINDS);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        long chosen = seed == null ? ThreadLocalRandom.current().nextLong(1, 1_000_000) : seed;
        Set<String> left = new TreeSet<>(without);
        Duration length = Duration.ofMillis((long) (minutes * 60_000));
        Nemesis.Plan plan = new Nemesis.Plan(chosen, length, hubs, runners, left);
        if (showsPlan) {
            FaultSchedule.inOrder(plan.lanes()).forEach(out::println);
            return 0;
        }
        err.printf("skep nemesis: seed %d, %d s%n", chosen, length.toSeconds());
        try (Nemesis nemesis = new Nemesis(plan, line -> err.println("skep nemesis: " + line))) {
            // Ctrl-C leaves nothing behind either.
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> end(nemesis)));
            return report(nemesis, out);
        }
    }

    private int report(Nemesis nemesis, PrintWriter out) throws Exception {
        try {
            NemesisReport report = nemesis.run();
            if (nemesis.isGivenUp()) {
                return INTERRUPTED;
            }
            out.println(json ? report.json() : report.text());
            return report.isClean() ? 0 : 1;
        } catch (Exception e) {
            if (nemesis.isGivenUp()) {
                // Everything was taken from under it.
                return INTERRUPTED;
            }
            throw e;
        }
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new CommandLine.ParameterException(spec.commandLine(), otherwise);
        }
    }

    private static void end(Nemesis nemesis) {
        try {
            nemesis.close();
        } catch (Exception e) {
            System.err.println("skep nemesis: cannot tidy up: " + e.getMessage());
        }
    }
}
