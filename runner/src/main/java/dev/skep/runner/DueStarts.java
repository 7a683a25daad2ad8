package dev.skep.runner;

import dev.skep.agents.session.RunSession;
import dev.skep.agents.session.RunSessionStore;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Which agents start by themselves, and which of them have to wait. Thread-safe. */
final class DueStarts {
    private final RunSessionStore sessions;
    private final Principal principal;

    /** Those that wait, and whether they start paused. */
    private final Map<AgentId, Boolean> held = new HashMap<>();

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
        held.put(agent, paused);
    }

    /** Those that waited until now. */
    synchronized Map<AgentId, Boolean> takeHeld() {
        Map<AgentId, Boolean> taken = Map.copyOf(held);
        held.clear();
        return taken;
    }
}
