package dev.skep.dispatch.routes;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What hosts send about the leases that they hold, and what they are answered, as the API document
 * describes it; {@code BudgetExchange} and {@code BudgetAnswer} read and write it.
 */
final class BudgetBodies {
    private BudgetBodies() {}

    record LeasesTold(
            String ledger,
            long sequence,
            long acknowledged,
            @Nullable String closing,
            List<LeaseTold> leases,
            List<BudgetTold> states,
            List<LeaseWanted> wants) {}

    record LeaseTold(String lease, String budget, long amount, long spent, String state) {}

    record BudgetTold(String budget, long rate, long past) {}

    record LeaseWanted(String request, String budget, long least, long most) {}

    record LeasesAnswered(
            long sequence,
            @Nullable String closing,
            List<BudgetLent> budgets,
            List<LeaseGranted> grants,
            List<LeaseRefused> refusals,
            List<String> settled) {}

    record BudgetLent(
            String id,
            String name,
            @Nullable String agent,
            long amount,
            long window,
            @Nullable Long free) {}

    record LeaseGranted(String request, String lease, String budget, long amount, long lasts) {}

    record LeaseRefused(String request, String why, long again) {}
}
