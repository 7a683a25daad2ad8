package dev.skep.dispatch.budget;

import dev.skep.kernel.id.OrgId;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * An amount of money for any stretch of time as long as a window.
 *
 * @param subject whom it limits: the id of an agent or a host, a label, or nothing for the org
 * @param amount micro-dollars
 */
public record SharedBudget(
        String id,
        OrgId org,
        String name,
        BudgetScope scope,
        String subject,
        long amount,
        Duration window,
        Instant createdAt,
        Instant updatedAt) {

    /** How long leases last: a host that falls silent keeps its part for so long and one window. */
    public long lasts() {
        return LeaseRules.lasts(window.toMillis());
    }

    /** Whether it limits agents of this host. */
    public boolean appliesTo(String host, Set<String> labels) {
        return switch (scope) {
            case AGENT, ORG -> true;
            case HOST -> subject.equals(host);
            case LABEL -> labels.contains(subject);
        };
    }
}
