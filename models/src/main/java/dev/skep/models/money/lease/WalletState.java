package dev.skep.models.money.lease;

import java.util.List;

/**
 * All that a wallet must not forget.
 *
 * @param ledger the id of what is kept here: new where the leases were lost
 */
public record WalletState(
        String ledger,
        List<HubLedger> hubs,
        List<LentBudget> budgets,
        List<HeldLease> leases,
        List<LeaseRequest> requests) {

    public WalletState {
        hubs = List.copyOf(hubs);
        budgets = List.copyOf(budgets);
        leases = List.copyOf(leases);
        requests = List.copyOf(requests);
    }

    public static WalletState empty(String ledger) {
        return new WalletState(ledger, List.of(), List.of(), List.of(), List.of());
    }

    /**
     * What a backup has of it: the budgets that apply, and no lease. A host that was put back with
     * it spends nothing of these budgets before their hubs have answered.
     */
    public static WalletState restored(String ledger, List<LentBudget> budgets, List<String> hubs) {
        return new WalletState(
                ledger,
                hubs.stream().map(hub -> HubLedger.fresh(hub, false)).toList(),
                budgets,
                List.of(),
                List.of());
    }
}
