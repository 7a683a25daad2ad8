package dev.skep.runner.managed;

import dev.skep.agents.cost.Cost;
import dev.skep.agents.session.SessionKey;
import dev.skep.models.gateway.GatewayListener;
import dev.skep.runner.loop.LoopControls;
import dev.skep.runner.tools.ToolEffects;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the gateway and our tools do to the turn that they are used in. Thread-safe. */
final class TurnEffects implements GatewayListener, ToolEffects {
    private final ManagedLog log;
    private final LoopControls controls;
    private @Nullable Refusal refusal;
    private @Nullable String completed;

    TurnEffects(ManagedLog log, LoopControls controls) {
        this.log = log;
        this.controls = controls;
    }

    /** A call that the gateway refused. */
    record Refusal(String why, Instant until) {}

    @Override
    public SessionKey session() {
        return log.session().key();
    }

    @Override
    public void booked(Cost cost) {
        log.booked(cost);
    }

    @Override
    public synchronized void refused(String why, Instant until) {
        refusal = new Refusal(why, until);
    }

    @Override
    public Optional<String> held() {
        return Optional.ofNullable(controls.heldWhy());
    }

    @Override
    public synchronized void completed(String note) {
        completed = note;
    }

    /** The last refusal since it was asked last; null if there was none. */
    synchronized @Nullable Refusal takeRefusal() {
        Refusal was = refusal;
        refusal = null;
        return was;
    }

    /** The note with which the work was said to be done; null if it was not. */
    synchronized @Nullable String takeCompleted() {
        String was = completed;
        completed = null;
        return was;
    }
}
