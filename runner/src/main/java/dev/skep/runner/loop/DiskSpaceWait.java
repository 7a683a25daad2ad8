package dev.skep.runner.loop;

import dev.skep.agents.AgentStatus;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.time.Duration;
import java.time.InstantSource;

/** An agent whose log cannot be stored waits for room; it then continues as after a crash. */
public final class DiskSpaceWait {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

    private final InstantSource clock;
    private final LoopControls controls;
    private final AgentPresence presence;

    public DiskSpaceWait(InstantSource clock, LoopControls controls, AgentPresence presence) {
        this.clock = clock;
        this.controls = controls;
        this.presence = presence;
    }

    /** Waits a while; false if the agent is to stop. Another failure is thrown on. */
    public boolean waited(SkepException failure) {
        if (failure.code() != ErrorCode.DISK_FULL) {
            throw failure;
        }
        presence.show(AgentStatus.BACKING_OFF, String.valueOf(failure.getMessage()));
        try {
            controls.rest(clock.instant().plus(LOOK_AGAIN));
        } catch (InterruptedException e) {
            controls.cancelled();
        }
        return !controls.isStopping();
    }
}
