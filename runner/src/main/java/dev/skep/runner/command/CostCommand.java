package dev.skep.runner.command;

import dev.skep.agents.cost.CostStore;
import dev.skep.agents.cost.CostSummary;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.money.Budget;
import dev.skep.models.money.Dollars;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** {@code cost}: what an agent has spent and may still spend. */
public final class CostCommand implements BuiltInCommand {
    private final CostStore costs;
    private final Budget budget;

    public CostCommand(CostStore costs, Budget budget) {
        this.costs = costs;
        this.budget = budget;
    }

    @Override
    public String name() {
        return "cost";
    }

    @Override
    public String summary() {
        return "what you have spent and may still spend";
    }

    @Override
    public String usage() {
        return "  cost";
    }

    @Override
    public CommandResult run(Caller caller, List<String> words, @Nullable String input) {
        if (!words.isEmpty()) {
            return BuiltInCommands.usageError(this, "takes nothing");
        }
        return CommandResult.of(text(caller.principal()));
    }

    /** What an agent has spent, by model, and what is left to it. */
    public String text(Principal.Agent who) {
        StringBuilder text = new StringBuilder();
        for (CostSummary each : costs.summarize(who, CostSummary.By.MODEL, who.id(), null)) {
            text.append(
                    "%s: %s in %d calls, %,d tokens in, %,d out\n"
                            .formatted(
                                    each.group(),
                                    new Dollars(each.micros()),
                                    each.calls(),
                                    each.inputTokens()
                                            + each.cacheReadTokens()
                                            + each.cacheWriteTokens(),
                                    each.outputTokens()));
        }
        OptionalLong left = budget.left(who.id());
        text.append(
                left.isPresent() ? "Left: " + new Dollars(left.getAsLong()) : "No spend limit.");
        return text.toString();
    }
}
