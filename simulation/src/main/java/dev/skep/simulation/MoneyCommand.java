package dev.skep.simulation;

import dev.skep.simulation.money.MoneyRule;
import dev.skep.simulation.money.MoneySeeds;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code ./skep simulate --money}: the same options, for budgets. */
record MoneyCommand(
        int seeds, long from, @Nullable Long seed, @Nullable String without, boolean listRules) {

    /** The exit code. */
    int run(PrintWriter out) {
        if (listRules) {
            Arrays.stream(MoneyRule.values()).map(MoneyRule::code).forEach(out::println);
            return 0;
        }
        Optional<MoneyRule> rule =
                Arrays.stream(MoneyRule.values())
                        .filter(each -> each.code().equals(without))
                        .findFirst();
        if (without != null && rule.isEmpty()) {
            out.println("no rule " + without + "; --money --list-rules names them");
            return 2;
        }
        MoneySeeds runs = new MoneySeeds(rule.orElse(null));
        if (seed != null) {
            String broken = runs.run(seed, out);
            out.println(broken == null ? "sound" : "BROKEN: " + broken);
            return broken == null ? 0 : 1;
        }
        MoneySeeds.Result result = runs.run(from, seeds, Integer.MAX_VALUE);
        result.failed().forEach(each -> out.printf("seed %d: %s%n", each.seed(), each.what()));
        out.printf(
                "%,d seeds, %,d failed, %,d calls, %.1f s%n",
                seeds, result.failures(), result.calls(), result.seconds());
        return result.failures() > 0 ? 1 : 0;
    }
}
