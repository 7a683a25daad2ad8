package dev.skep.models.money.lease;

import dev.skep.kernel.id.AgentId;
import dev.skep.store.clock.ClockReading;
import dev.skep.wire.call.BudgetAnswer;
import dev.skep.wire.call.BudgetExchange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what this host may spend of what its hubs have lent it, and what it tells them. It does
 * no I/O and has no clock. What it decides must be stored before anybody acts on it: {@link #state}
 * before a call begins, and before an exchange is sent. Not thread-safe.
 */
public final class LeaseWallet {
    /** How soon a hub is asked again that lent less than was wanted, or could not be reached. */
    private static final long SOON = 10_000;

    private static final long LONGEST_WAIT = 300_000;

    /** Why there is not more at the moment, and until when that counts, by the boot-time clock. */
    private record Shortage(String why, long until) {}

    private record Wish(long least, long most) {}

    private final String ledger;
    private final Map<String, HubLedger> hubs = new LinkedHashMap<>();
    private final Map<BudgetKey, LentBudget> budgets = new LinkedHashMap<>();
    private final HeldLeases leases;
    private final Map<String, LeaseRequest> requests = new TreeMap<>();
    private final Map<BudgetKey, Wish> wishes = new HashMap<>();
    private final Map<BudgetKey, Shortage> shortages = new HashMap<>();
    private final Map<BudgetKey, SpendRate> rates = new HashMap<>();
    private final Set<String> unreachable = new HashSet<>();
    private @Nullable ClockReading seen;

    /** Goes on from what was stored; no call is under way. */
    public LeaseWallet(WalletState state) {
        this.ledger = state.ledger();
        state.hubs().forEach(hub -> hubs.put(hub.hub(), hub));
        state.budgets().forEach(budget -> budgets.put(budget.key(), budget));
        this.leases = new HeldLeases(state.leases());
        state.requests().forEach(request -> requests.put(request.id(), request.undated()));
    }

    public WalletState state() {
        return new WalletState(
                ledger,
                List.copyOf(hubs.values()),
                List.copyOf(budgets.values()),
                List.copyOf(leases.all()),
                List.copyOf(requests.values()));
    }

    /**
     * A hub may limit this host from now on.
     *
     * @param heard false where this host's database was put back since the hub was last heard
     */
    public void join(String hub, boolean heard) {
        hubs.putIfAbsent(hub, HubLedger.fresh(hub, heard));
    }

    /** A hub limits this host no longer. */
    public void leave(String hub) {
        if (hubs.remove(hub) != null) {
            unreachable.remove(hub);
            drop(hub, Set.of());
        }
    }

    /** Whether any budget of a hub counts for the agent. */
    public boolean limits(AgentId agent) {
        return budgets.values().stream().anyMatch(each -> each.appliesTo(agent));
    }

    /** The most the agent may hope for: what is held and what the hubs had left. */
    public OptionalLong left(AgentId agent, ClockReading now) {
        return budgets.values().stream()
                .filter(each -> each.appliesTo(agent))
                .mapToLong(
                        each ->
                                each.known().orElse(each.amount())
                                        + leases.best(each.key(), now)
                                                .map(HeldLease::spendable)
                                                .orElse(0L))
                .min();
    }

    /**
     * Pays for a call with one lease of each budget that applies; on any other answer nothing is
     * held.
     */
    public LeaseDecision reserve(AgentId agent, long least, long most, ClockReading now) {
        see(now);
        Optional<LeaseDecision> unheard = unheard();
        if (unheard.isPresent()) {
            return unheard.get();
        }
        long granted = most;
        List<HeldLease> payers = new ArrayList<>();
        boolean asking = false;
        for (LentBudget each : budgets.values()) {
            if (!each.appliesTo(agent)) {
                continue;
            }
            HeldLease payer = leases.best(each.key(), now).orElse(null);
            long left = payer == null ? 0 : payer.spendable();
            if (left < most) {
                Optional<Shortage> shortage = shortage(each.key(), now);
                if (shortage.isEmpty()) {
                    wish(each.key(), least, most);
                    asking = true;
                } else if (left < least) {
                    return new LeaseDecision.TooLittle(
                            each,
                            shortage.get().why(),
                            Math.max(250, shortage.get().until() - now.boot()));
                }
            }
            granted = Math.min(granted, left);
            if (payer != null) {
                payers.add(payer);
            }
        }
        if (asking) {
            return new LeaseDecision.Asking();
        }
        for (HeldLease payer : payers) {
            leases.pay(payer, granted);
            rates.computeIfAbsent(payer.key(), _ -> new SpendRate()).add(now.boot(), granted);
        }
        return new LeaseDecision.Paid(granted, payers.stream().map(HeldLease::id).toList());
    }

    private Optional<LeaseDecision> unheard() {
        for (HubLedger hub : hubs.values()) {
            if (!hub.heard()) {
                return Optional.of(
                        unreachable.contains(hub.hub())
                                ? new LeaseDecision.TooLittle(
                                        null,
                                        "this host was put back to an earlier state and its hub has not yet said which budgets apply; connect it, or take the consent 'steer' from the hub",
                                        SOON)
                                : new LeaseDecision.Asking());
            }
        }
        return Optional.empty();
    }

    private Optional<Shortage> shortage(BudgetKey key, ClockReading now) {
        Shortage known = shortages.get(key);
        if (known != null && known.until() <= now.boot()) {
            shortages.remove(key);
            known = null;
        }
        if (known == null && unreachable.contains(key.hub())) {
            known =
                    new Shortage(
                            "this host holds too little of it, and the hub that lends it cannot be reached",
                            now.boot() + SOON);
        }
        return Optional.ofNullable(known);
    }

    private void wish(BudgetKey key, long least, long most) {
        wishes.merge(
                key,
                new Wish(least, most),
                (a, b) -> new Wish(Math.min(a.least(), b.least()), Math.max(a.most(), b.most())));
    }

    /** Looks at the clocks: a step back that is seen ends leases, even if it is undone. */
    public boolean endsSome(ClockReading now) {
        see(now);
        return leases.endsSome(now);
    }

    /** A call is over: what it did not cost is there again. */
    public void settle(LeaseDecision.Paid paid, long micros, ClockReading now) {
        long more = micros - paid.micros();
        for (String id : paid.leases()) {
            leases.paid(id, more)
                    .ifPresent(
                            lease ->
                                    rates.computeIfAbsent(lease.key(), _ -> new SpendRate())
                                            .add(now.boot(), more));
        }
    }

    /** Whether a hub should be asked at once. */
    public boolean isAsking(String hub) {
        return wishes.keySet().stream().anyMatch(key -> key.hub().equals(hub))
                || Optional.ofNullable(hubs.get(hub)).filter(each -> !each.heard()).isPresent();
    }

    /** What to tell a hub now; to be sent only once the state is stored. */
    public BudgetExchange exchange(String hub, ClockReading now, Supplier<String> newId) {
        see(now);
        HubLedger before = Objects.requireNonNull(hubs.get(hub), hub);
        leases.count(hub, now);
        askAhead(hub);
        leases.closeWhatIsOver(hub, this::least, budgets);
        for (BudgetKey key : List.copyOf(wishes.keySet())) {
            Wish wish = wishes.get(key);
            if (key.hub().equals(hub) && wish != null) {
                wishes.remove(key);
                boolean outstanding =
                        requests.values().stream().anyMatch(each -> each.key().equals(key));
                if (budgets.containsKey(key) && !outstanding) {
                    String id = newId.get();
                    requests.put(id, new LeaseRequest(id, key, wish.least(), wish.most(), now));
                }
            }
        }
        boolean tellsAll = before.closing() != null;
        LeaseReports reports = LeaseReports.of(hub, leases.all(), tellsAll);
        List<BudgetExchange.Want> wants = wants(hub);
        boolean isQuiet = reports.leases().isEmpty() && wants.isEmpty() && !tellsAll;
        HubLedger told = isQuiet && before.sequence() > 0 ? before : before.next();
        hubs.put(hub, told);
        return new BudgetExchange(
                ledger,
                told.sequence(),
                told.acknowledged(),
                Optional.ofNullable(told.closing()),
                reports.leases(),
                budgets.values().stream()
                        .filter(each -> each.key().hub().equals(hub))
                        .limit(BudgetExchange.MOST)
                        .map(
                                each ->
                                        new BudgetExchange.BudgetState(
                                                each.key().budget(),
                                                rate(each.key(), now),
                                                reports.past(each.key())))
                        .toList(),
                wants);
    }

    private List<BudgetExchange.Want> wants(String hub) {
        return requests.values().stream()
                .filter(each -> each.key().hub().equals(hub))
                .limit(BudgetExchange.MOST)
                .map(
                        each ->
                                new BudgetExchange.Want(
                                        each.id(), each.key().budget(), each.least(), each.most()))
                .toList();
    }

    private long rate(BudgetKey key, ClockReading now) {
        SpendRate rate = rates.get(key);
        return rate == null ? 0 : Math.min(BudgetExchange.LARGEST, rate.perHour(now.boot()));
    }

    /** The next lease is asked for before the last one is used up. */
    private void askAhead(String hub) {
        for (HeldLease lease : leases.newest(hub).values()) {
            if (lease.isRunningOut() && !shortages.containsKey(lease.key())) {
                wishes.putIfAbsent(lease.key(), new Wish(0, 0));
            }
        }
    }

    private long least(BudgetKey key) {
        Wish wish = wishes.get(key);
        return wish == null ? 0 : wish.least();
    }

    /** A step back between a request and its answer is not seen from either. */
    private void see(ClockReading now) {
        ClockReading before = seen;
        if (before != null
                && (!now.isSameBootAs(before) || now.wall() < before.wall() - HeldLease.STEP)) {
            requests.replaceAll((_, request) -> request.undated());
        }
        seen = now;
    }

    /** A hub has answered; to be stored before anything of it is spent. */
    public void answered(String hub, BudgetAnswer answer, ClockReading now) {
        see(now);
        HubLedger before = hubs.get(hub);
        if (before == null) {
            return;
        }
        hubs.put(hub, before.answered(answer.sequence(), answer.closing().orElse(null)));
        unreachable.remove(hub);
        learn(hub, answer);
        for (BudgetAnswer.Grant grant : answer.grants()) {
            LeaseRequest request = requests.remove(grant.request());
            if (request != null && request.key().equals(new BudgetKey(hub, grant.budget()))) {
                take(request, grant, now);
            }
        }
        for (BudgetAnswer.Refusal refusal : answer.refusals()) {
            LeaseRequest request = requests.remove(refusal.request());
            if (request != null && request.key().hub().equals(hub)) {
                long again = Math.clamp(refusal.again(), SOON, LONGEST_WAIT);
                shortages.put(request.key(), new Shortage(refusal.why(), now.boot() + again));
            }
        }
        answer.settled().forEach(id -> leases.settled(hub, id));
    }

    private void learn(String hub, BudgetAnswer answer) {
        Set<String> there = new HashSet<>();
        for (BudgetAnswer.Lent lent : answer.budgets()) {
            BudgetKey key = new BudgetKey(hub, lent.id());
            LentBudget before = budgets.get(key);
            long free = lent.free().orElse(before == null ? -1L : before.free());
            there.add(lent.id());
            budgets.put(
                    key,
                    new LentBudget(
                            key,
                            lent.name(),
                            lent.agent().orElse(null),
                            lent.amount(),
                            lent.window(),
                            free));
        }
        drop(hub, there);
    }

    private void drop(String hub, Set<String> except) {
        budgets.keySet().removeIf(key -> isGone(key, hub, except));
        leases.removeIf(key -> isGone(key, hub, except));
        requests.values().removeIf(request -> isGone(request.key(), hub, except));
        wishes.keySet().removeIf(key -> isGone(key, hub, except));
        shortages.keySet().removeIf(key -> isGone(key, hub, except));
        rates.keySet().removeIf(key -> isGone(key, hub, except));
    }

    private static boolean isGone(BudgetKey key, String hub, Set<String> except) {
        return key.hub().equals(hub) && !except.contains(key.budget());
    }

    private void take(LeaseRequest request, BudgetAnswer.Grant grant, ClockReading now) {
        HeldLease lease =
                HeldLease.granted(
                                grant.lease(),
                                request.key(),
                                grant.amount(),
                                grant.lasts(),
                                request.at())
                        .at(now);
        leases.put(lease);
        if (grant.amount() < request.most()) {
            shortages.put(
                    request.key(),
                    new Shortage("its hub had less left than was asked for", now.boot() + SOON));
        } else {
            shortages.remove(request.key());
        }
    }

    /** A hub could not be asked; what this host holds goes on. */
    public void unreachable(String hub) {
        if (hubs.containsKey(hub)) {
            unreachable.add(hub);
            wishes.keySet().removeIf(key -> key.hub().equals(hub));
        }
    }

    /** Whose word this host waits for. */
    public @Nullable HubLedger ledger(String hub) {
        return hubs.get(hub);
    }
}
