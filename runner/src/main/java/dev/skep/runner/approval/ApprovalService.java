package dev.skep.runner.approval;

import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.identity.Principal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Brings the loops that wait and the people who decide together. Thread-safe. */
public final class ApprovalService {
    private final ApprovalStore store;
    private final InstantSource clock;
    private final Map<String, CompletableFuture<Approval>> waiting = new ConcurrentHashMap<>();

    private final Duration usualTimeout;

    /**
     * Nobody waits yet.
     *
     * @param usualTimeout how long commands of agents wait whose files do not say
     */
    public ApprovalService(ApprovalStore store, InstantSource clock, Duration usualTimeout) {
        this.store = store;
        this.clock = clock;
        this.usualTimeout = usualTimeout;
    }

    /** When a command that asks now is denied; by what the agent's file says, if it does. */
    public Instant expiry(Instant now, @Nullable Duration said) {
        return now.plus(said == null ? usualTimeout : said);
    }

    public ApprovalStore store() {
        return store;
    }

    /** Stores the approval if it is new; says where it stands. */
    public Approval request(Principal who, Approval approval) {
        waiting.computeIfAbsent(approval.id(), id -> new CompletableFuture<>());
        store.request(who, approval);
        return store.find(who, approval.id()).orElseThrow();
    }

    /** Waits for a requested approval until it is decided or its time is over; touches no store. */
    public void await(Approval requested) throws InterruptedException {
        CompletableFuture<Approval> decided = waiting.get(requested.id());
        if (decided == null || requested.decision() != Approval.Decision.PENDING) {
            return;
        }
        Duration left = Duration.between(clock.instant(), requested.expiresAt());
        try {
            decided.get(Math.max(1, left.toMillis()), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // conclude() denies it
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What was decided; what nobody decided is denied now. */
    public Approval conclude(Principal who, Approval requested) {
        waiting.remove(requested.id());
        store.expire(who, requested.id(), clock.instant());
        // Not what we decided but what is stored: a person may have been faster.
        return store.find(who, requested.id()).orElseThrow();
    }

    /** Denies what nobody can decide any more, because who asked for it is gone. */
    public Approval withdraw(Principal who, Approval requested, String why) {
        waiting.remove(requested.id());
        store.withdraw(who, requested.id(), why, clock.instant());
        return store.find(who, requested.id()).orElseThrow();
    }

    /**
     * Decides for a person; false if it was decided already or does not exist. The rule that {@link
     * ApprovalChoice#ALWAYS} means is its caller's to write first.
     *
     * @param reason why it is denied, told to the agent
     */
    public boolean decide(
            Decider who, ApprovalId id, ApprovalChoice choice, @Nullable String reason) {
        boolean decided =
                store.decide(who, id, choice, DenyReason.cleaned(choice, reason), clock.instant());
        CompletableFuture<Approval> waiter = waiting.get(id.value());
        if (decided && waiter != null) {
            waiter.complete(store.find(who.actor().principal(), id.value()).orElseThrow());
        }
        return decided;
    }
}
