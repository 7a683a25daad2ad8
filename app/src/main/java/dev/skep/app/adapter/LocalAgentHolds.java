package dev.skep.app.adapter;

import dev.skep.runner.Runner;
import dev.skep.runner.hold.AgentHold;
import dev.skep.runner.hold.AgentHolds;
import dev.skep.wire.call.HoldAnswer;
import dev.skep.wire.call.HoldState;
import dev.skep.worker.HoldableAgents;
import java.time.InstantSource;
import java.util.Optional;

/** The agents of the runner in this process, for the hubs that may have them stand still. */
public final class LocalAgentHolds implements HoldableAgents {
    private final Runner runner;
    private final AgentHolds holds;
    private final InstantSource clock;

    public LocalAgentHolds(Runner runner, InstantSource clock) {
        this.runner = runner;
        this.holds = runner.holds();
        this.clock = clock;
    }

    @Override
    public Known known(String hub) {
        return holds.of(hub)
                .map(
                        hold ->
                                new Known(
                                        Optional.of(hold.id()),
                                        hold.lifted() ? HoldState.LIFTED : HoldState.HELD))
                .orElse(new Known(Optional.empty(), HoldState.FREE));
    }

    @Override
    public void hold(String hub, HoldAnswer.Wanted wanted) {
        holds.hold(
                new AgentHold(
                        hub,
                        wanted.id(),
                        wanted.by(),
                        runner.redactor().redact(wanted.reason()),
                        clock.instant(),
                        false));
    }

    @Override
    public void release(String hub, String id) {
        holds.release(hub, id);
    }

    @Override
    public void heard(String hub) {
        runner.firstWords().heard(hub);
    }

    @Override
    public void onChange(Runnable listener) {
        holds.onChange(listener);
    }
}
