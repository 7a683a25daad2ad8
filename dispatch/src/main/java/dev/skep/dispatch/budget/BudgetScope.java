package dev.skep.dispatch.budget;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Whose spending a budget limits. */
public enum BudgetScope {
    /** One agent, on whichever host it is. */
    AGENT,
    /** All agents of one host. */
    HOST,
    /** All agents of the hosts with a label, for example {@code team:blue}. */
    LABEL,
    /** All agents of the org. */
    ORG;

    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<BudgetScope> of(String stored) {
        return Arrays.stream(values()).filter(each -> each.stored().equals(stored)).findFirst();
    }
}
