package dev.skep.runner.loop;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Publishes the state of one agent. Used by its loop; {@link #status} may be called by anyone. */
public final class AgentPresence {
    private final AgentDependencies agentDependencies;
    private final Agent agent;
    private volatile AgentStatus status = AgentStatus.STOPPED;
    private volatile String why = "";
    private @Nullable String latestMailId;

    public AgentPresence(AgentDependencies agentDependencies, Agent agent) {
        this.agentDependencies = agentDependencies;
        this.agent = agent;
    }

    public AgentStatus status() {
        return status;
    }

    public String why() {
        return why;
    }

    public void mailed(String id) {
        latestMailId = id;
    }

    /** Shows how it is without storing it, which is just what cannot be done now. */
    public void show(AgentStatus now, String reason) {
        if (isNews(now, reason)) {
            agentDependencies.watcher().changed(agent, now, reason);
        }
    }

    public void tell(AgentStatus now, String reason, @Nullable String latestLogId) {
        boolean news = isNews(now, reason);
        OptionalLong left = agentDependencies.budget().left(agent.id());
        agentDependencies
                .notifications()
                .add(
                        new Notification(
                                agent.id(),
                                latestLogId,
                                latestMailId,
                                agentDependencies.clock().instant(),
                                now,
                                left.isPresent() ? left.getAsLong() : null,
                                stored(now, reason)));
        if (news) {
            agentDependencies.watcher().changed(agent, now, reason);
        }
    }

    /** Tells that it is held; a pause is the word for it, so that it lasts when that is lifted. */
    public void held(LoopControls controls, String reason, @Nullable String latestLogId) {
        tell(controls.isPaused() ? AgentStatus.PAUSED : AgentStatus.HELD, reason, latestLogId);
    }

    /**
     * Tells how it ended; who was held when the runner stopped is held when it starts again.
     *
     * @param reason null if it goes on with the next start
     */
    public void ended(
            @Nullable String reason, LoopControls controls, @Nullable String latestLogId) {
        String heldWhy = reason == null ? controls.heldWhy() : null;
        boolean paused = reason == null && controls.isPaused() && status != AgentStatus.FAILED;
        if (heldWhy != null) {
            held(controls, heldWhy, latestLogId);
            return;
        }
        tell(
                paused ? AgentStatus.PAUSED : AgentStatus.STOPPED,
                reason == null ? "" : reason,
                latestLogId);
    }

    /** A command that waits for its yes is shown by itself, and where all is well is no reason. */
    private @Nullable String stored(AgentStatus now, String reason) {
        return switch (now) {
            case FAILED, OVER_BUDGET, BACKING_OFF, PAUSED, HELD ->
                    reason.isEmpty() ? null : agentDependencies.redactor().redact(reason);
            case ACTIVE, WAITING, AWAITING_APPROVAL, STOPPED -> null;
        };
    }

    private boolean isNews(AgentStatus now, String reason) {
        boolean news = now != status || !reason.equals(why);
        status = now;
        why = reason;
        return news;
    }
}
