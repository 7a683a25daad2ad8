package dev.skep.models.money.lease;

import dev.skep.kernel.id.AgentId;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A budget that applies to this host by the word of a hub.
 *
 * @param agent the only agent that it is for; null for all of this host
 * @param amount micro-dollars in any stretch of time as long as the window
 * @param window milliseconds
 * @param free what the hub could still lend when it last said so; negative if it never did
 */
public record LentBudget(
        BudgetKey key, String name, @Nullable String agent, long amount, long window, long free) {

    boolean appliesTo(AgentId id) {
        return agent == null || agent.equals(id.value());
    }

    OptionalLong known() {
        return free < 0 ? OptionalLong.empty() : OptionalLong.of(free);
    }
}
