package dev.skep.runner.approval;

import dev.skep.kernel.identity.Principal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Brings the loops that wait and the people who decide together. Thread-safe. */
public final class Approvals {
    private final ApprovalStore store;
    private final InstantSource clock;
    private final Map<String, CompletableFuture<Approval>> waiting = new ConcurrentHashMap<>();

    public Approvals(ApprovalStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    public ApprovalStore store() {
        return store;
    }

    /** Stores the approval if it is new and waits until it is decided or its time is over. */
    public Approval await(Principal who, Approval approval) throws InterruptedException {
        CompletableFuture<Approval> decided = new CompletableFuture<>();
        waiting.put(approval.id(), decided);
        try {
            store.request(who, approval);
            // Decided before we listened, by a person faster than us or before a restart.
            Approval stored = store.find(who, approval.id()).orElse(approval);
            if (stored.decision() != Approval.Decision.PENDING) {
                return stored;
            }
            Duration left = Duration.between(clock.instant(), stored.expiresAt());
            return decided.get(Math.max(1, left.toMillis()), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return expired(who, approval);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            waiting.remove(approval.id());
        }
    }

    private Approval expired(Principal who, Approval approval) {
        store.decide(who, approval.id(), Approval.Decision.DENIED, "timeout", clock.instant());
        // Not what we decided but what is stored: a person may have been faster.
        return store.find(who, approval.id()).orElseThrow();
    }

    /** Decides for a person; false if it was decided already or does not exist. */
    public boolean decide(Principal who, String id, boolean approve) {
        boolean decided =
                store.decide(
                        who,
                        id,
                        approve ? Approval.Decision.APPROVED : Approval.Decision.DENIED,
                        who.label(),
                        clock.instant());
        CompletableFuture<Approval> waiter = waiting.get(id);
        if (decided && waiter != null) {
            waiter.complete(store.find(who, id).orElseThrow());
        }
        return decided;
    }
}
