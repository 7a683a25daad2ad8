package dev.skep.runner;

import dev.skep.agents.session.RunSession;
import dev.skep.agents.session.RunSessionStore;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.loop.LoopControls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Which agents start by themselves, and which of them have to wait. Thread-safe. */
final class DueStarts {
    private final RunSessionStore sessions;
    private final Principal principal;

    private final Map<AgentId, Held> held = new HashMap<>();

    /**
     * One that waits.
     *
     * @param paused whether it starts paused
     * @param said what it is to hear
     */
    record Held(boolean paused, List<LoopControls.Said> said) {
        private Held hearing(List<LoopControls.Said> more) {
            return new Held(paused, Stream.concat(said.stream(), more.stream()).toList());
        }
    }

    DueStarts(RunSessionStore sessions, Principal principal) {
        this.sessions = sessions;
        this.principal = principal;
    }

    /**
     * An agent continues where it was; one that had ended stays so until mail or a person comes.
     */
    boolean withRunner(AgentRegistrar.Registered each) {
        Optional<RunSession> last = sessions.latest(principal, each.agent().id());
        boolean ended = last.isPresent() && last.get().endedReason() != null;
        boolean interrupted = last.isPresent() && !ended;
        return each.agent().isLive()
                && !ended
                && (interrupted || each.source().content().autoStart());
    }

    /** Mail starts an agent that had completed its work, not one that a person stopped. */
    boolean withMail(AgentRegistrar.Registered each) {
        return each.source().content().wakeOnMail()
                && sessions.latest(principal, each.agent().id())
                        .map(RunSession::endedReason)
                        .filter(reason -> reason.startsWith("complete"))
                        .isPresent();
    }

    synchronized void hold(AgentId agent, boolean paused) {
        held.merge(agent, new Held(paused, List.of()), (was, now) -> was.paused() ? was : now);
    }

    /** False if the agent does not wait. */
    synchronized boolean say(AgentId agent, List<LoopControls.Said> more) {
        return held.computeIfPresent(agent, (_, was) -> was.hearing(more)) != null;
    }

    /** False if the agent does not wait. */
    synchronized boolean pause(AgentId agent) {
        return held.computeIfPresent(agent, (_, was) -> new Held(true, was.said())) != null;
    }

    /** It waits no longer and does not start; false if it did not wait. */
    synchronized boolean forget(AgentId agent) {
        return held.remove(agent) != null;
    }

    synchronized boolean isHeld(AgentId agent) {
        return held.containsKey(agent);
    }

    synchronized int waiting() {
        return held.size();
    }

    /** Takes those that waited until now and are chosen. */
    synchronized Map<AgentId, Held> takeHeld(Predicate<AgentId> chosen) {
        Map<AgentId, Held> taken = new HashMap<>(held);
        taken.keySet().removeIf(chosen.negate());
        held.keySet().removeAll(taken.keySet());
        return taken;
    }
}
