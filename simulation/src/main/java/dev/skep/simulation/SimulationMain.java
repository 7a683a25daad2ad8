package dev.skep.simulation;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./skep simulate}: many seeds, or one with its story. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = "Runs row sync through faults in virtual time; exit code 1 if a seed fails.")
public final class SimulationMain implements Callable<Integer> {
    /** With fewer seeds than this, a rare fault may not happen by chance. */
    private static final int ENOUGH = 2_000;

    /** Where machines keep their rows. */
    enum Keep {
        memory,
        sqlite
    }

    @Option(names = "--seeds", description = "How many seeds to run (default: ${DEFAULT-VALUE}).")
    private int seeds = ENOUGH;

    @Option(names = "--from", description = "The first of them (default: ${DEFAULT-VALUE}).")
    private long from = 1;

    @Option(names = "--seed", description = "Runs one seed and prints what happened.")
    private @Nullable Long seed;

    @Option(names = "--without", description = "Takes a rule out; seeds should then fail.")
    private @Nullable String without;

    @Option(names = "--list-rules", description = "Names the rules, one per line.")
    private boolean listRules;

    @Option(names = "--store", description = "memory or sqlite (default: ${DEFAULT-VALUE}).")
    private Keep store = Keep.memory;

    @Option(names = "--money", description = "Budgets and leases under faults instead of row sync.")
    private boolean money;

    @Spec private CommandSpec spec = CommandSpec.create();

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Ends with the exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new SimulationMain()).execute(args));
    }

    @Override
    public Integer call() {
        if (money) {
            return new MoneyCommand(seeds, from, seed, without, listRules).run(out());
        }
        if (listRules) {
            for (Rule rule : Rule.values()) {
                out().println(rule.code());
            }
            return 0;
        }
        Optional<Rule> rule = rule();
        return seed == null ? many(rule.orElse(null)) : runOne(seed, rule.orElse(null));
    }

    private Optional<Rule> rule() {
        if (without == null) {
            return Optional.empty();
        }
        for (Rule rule : Rule.values()) {
            if (rule.code().equals(without)) {
                return Optional.of(rule);
            }
        }
        throw new CommandLine.ParameterException(
                spec.commandLine(), "no rule " + without + "; --list-rules names them");
    }

    private int runOne(long one, @Nullable Rule rule) {
        Seed.Verdict verdict =
                new SeedRunner(rule, store == Keep.sqlite).run(one, new Trace(out()));
        out().println(verdict.broken() == null ? "sound" : "BROKEN: " + verdict.broken());
        return verdict.broken() == null ? 0 : 1;
    }

    private int many(@Nullable Rule rule) {
        SeedRunner seedRunner = new SeedRunner(rule, store == Keep.sqlite);
        SeedRunner.Result result = seedRunner.run(from, seeds, Integer.MAX_VALUE, err());
        for (Seed.Verdict failed : result.failed()) {
            out().printf(
                            "seed %d: %s%n  ./skep simulate --seed %d%s%s%n",
                            failed.seed(),
                            failed.broken(),
                            failed.seed(),
                            rule == null ? "" : " --without " + rule.code(),
                            store == Keep.sqlite ? " --store sqlite" : "");
        }
        out().println(result.coverage());
        out().printf(
                        "%,d seeds, %,d failed, %.1f s, %,.0f seeds/s%n",
                        seeds, result.failures(), result.seconds(), seeds / result.seconds());
        boolean covered = rule != null || seeds < ENOUGH || result.coverage().never().isEmpty();
        if (!covered) {
            out().println("never happened: " + result.coverage().never());
        }
        return result.failures() > 0 || !covered ? 1 : 0;
    }
}
