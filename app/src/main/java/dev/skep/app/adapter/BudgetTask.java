package dev.skep.app.adapter;

import dev.skep.directory.host.AwaitedHubs;
import dev.skep.directory.host.JoinedHub;
import dev.skep.directory.link.EnrolledHub;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.models.money.lease.HostLeases;
import dev.skep.wire.call.BudgetAnswer;
import dev.skep.wire.call.BudgetExchange;
import dev.skep.worker.HubTask;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Asks hubs that may steer this host for what it may spend of their budgets. */
public final class BudgetTask implements HubTask, Component {
    private static final Duration EVERY = Duration.ofSeconds(15);

    /** Each time something is asked for that was not when the exchange began. */
    private static final int MOST_IN_A_ROW = 4;

    private static final BudgetAnswer NONE =
            new BudgetAnswer(0, Optional.empty(), List.of(), List.of(), List.of(), List.of());

    private final HostLeases leases;
    private final AwaitedHubs awaited;
    private final BudgetHubsFile lenders;
    private final List<PeriodicTask> asking = new CopyOnWriteArrayList<>();

    public BudgetTask(HostLeases leases, AwaitedHubs awaited, BudgetHubsFile lenders) {
        this.leases = leases;
        this.awaited = awaited;
        this.lenders = lenders;
    }

    @Override
    public Runnable join(EnrolledHub hub, HubConsent consent, Calls calls) {
        PeriodicTask task =
                new PeriodicTask(
                        "budgets", Duration.ZERO, EVERY, () -> exchange(hub, consent, calls));
        Runnable wake = task::wake;
        leases.onAsking(wake);
        asking.add(task);
        task.start();
        return () -> {
            leases.onAskingNoMore(wake);
            asking.remove(task);
            task.close();
            hub.id().ifPresent(leases::leave);
        };
    }

    @Override
    public void start() {
        leases.start();
    }

    /** What is held stays held: the next process goes on with it. */
    @Override
    public void close() {
        asking.forEach(PeriodicTask::close);
        leases.close();
    }

    private void exchange(EnrolledHub hub, HubConsent consent, Calls calls) {
        String id = hub.id().orElse(null);
        if (id == null || hub.isThisHost()) {
            return;
        }
        if (!consent.has(Consent.STEER)) {
            leases.leave(id);
            return;
        }
        // A hub that never had a budget for this host need not be heard first: it never needs one.
        leases.join(
                id,
                lenders.has(id)
                        && awaited.awaited().stream().map(JoinedHub::hubId).anyMatch(id::equals));
        for (int times = 0; times == 0 || (times < MOST_IN_A_ROW && leases.isAsking(id)); times++) {
            try {
                leases.exchange(id, told -> remembered(id, answer(calls, told)));
            } catch (SkepException unreachable) {
                // The jobs of this hub tell it; what is held goes on.
                return;
            }
        }
    }

    private BudgetAnswer remembered(String hub, BudgetAnswer answer) {
        if (!answer.budgets().isEmpty()) {
            lenders.add(hub);
        }
        return answer;
    }

    /** A hub that is older than budgets has none. */
    private static BudgetAnswer answer(Calls calls, BudgetExchange told) {
        try {
            return calls.ask(told);
        } catch (SkepException e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                return NONE;
            }
            throw e;
        }
    }
}
