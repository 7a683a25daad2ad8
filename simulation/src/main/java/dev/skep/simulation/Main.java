package dev.skep.simulation;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./skep simulate}: many seeds, or one with its story. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = "Runs row sync through faults in virtual time; exit code 1 if a seed fails.")
public final class Main implements Callable<Integer> {
    @Option(names = "--seeds", description = "How many seeds to run (default: ${DEFAULT-VALUE}).")
    private int seeds = 1_000;

    @Option(names = "--from", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long from = 1;

    @Option(names = "--seed", description = "Replays one seed and tells what happened.")
    private @Nullable Long seed;

    @Option(names = "--without", description = "Takes a rule out; the run should then fail.")
    private @Nullable String without;

    @Option(names = "--list-rules", description = "Names the rules, one per line.")
    private boolean listRules;

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() {
        if (listRules) {
            for (Rule rule : Rule.values()) {
                System.out.println(rule.code());
            }
            return 0;
        }
        Rule rule = rule();
        if (seed != null) {
            Seed.Verdict verdict =
                    Seed.run(seed, rule, Stores.inMemory(), false, new Trace(System.out));
            System.out.println(verdict.broken() == null ? "sound" : "BROKEN: " + verdict.broken());
            return verdict.broken() == null ? 0 : 1;
        }
        Coverage coverage = new Coverage();
        int failed = 0;
        long start =
                java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (long s = from; s < from + seeds; s++) {
            Seed.Verdict verdict = Seed.run(s, rule, Stores.inMemory(), s % 16 == 0, null);
            coverage.add(verdict.coverage());
            if (verdict.broken() != null && failed++ < 10) {
                System.out.println("seed " + s + ": " + verdict.broken());
            }
        }
        double seconds =
                (java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime()
                                - start)
                        / 1e9;
        System.out.printf(
                "%d of %d failed, %.1f s, %.0f seeds/s%n", failed, seeds, seconds, seeds / seconds);
        System.out.println(coverage);
        return failed > 0 ? 1 : 0;
    }

    private @Nullable Rule rule() {
        if (without == null) {
            return null;
        }
        for (Rule rule : Rule.values()) {
            if (rule.code().equals(without)) {
                return rule;
            }
        }
        throw new CommandLine.ParameterException(
                new CommandLine(this), "no rule " + without + "; --list-rules names them");
    }
}
